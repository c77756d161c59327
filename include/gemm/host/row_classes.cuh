// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the host knows of A's rows in classes (block/row_classes.cuh): which there are, and TMA's maps of them.
#pragma once

#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/row_classes.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/tensor_map.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Tiles of C along m, in whole clusters: each class of rows has its own.
template <class Problem>
std::int64_t tiles_along_m(compiled_kernel const& of, Problem const& p) {
  std::int64_t const classes = p.row_classes > 0 ? p.row_classes : 1;
  return classes * tiles(tiles(p.m, classes), of.block_m * of.cluster_m);
}

/// What part longer it takes where rows of A come class by class: their pieces of 128 bytes, which begin at multiples
/// of 16, are in two lines of the L2 (H200, 64 columns: 5 to 12 %; 16: 18 to 43 %).
inline double slower_by_classes(compiled_kernel const& of) { return 3.7 / of.block_n; }

/// How far blocks count along k: with what is ahead of the rows.
template <class Problem>
std::int64_t summed_k(Problem const& p) {
  return p.k + (p.row_classes > 0 ? longest_shift : 0);
}

/// The rows of a class as TMA is to see them, and how far the first k is from where its lines begin.
template <class Problem>
auto matrices_of_class(compiled_kernel const& facts, Problem const& p, int classes, int index, int& shift) {
  using input = typename Problem::input;
  input const* const row = p.a.data + index * p.a.ld;
  shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % 16 / sizeof(input));
  auto of = matrices_of_a(facts, p);
  of.data = row - shift;
  of.inner = p.k + shift;
  of.outer = tiles(p.m - index, classes);
  of.ld = p.a.ld * classes;
  return of;
}

/// The classes of A's rows that a policy's kernel could have TMA bring, 0 where it cannot. All batches are alike in
/// them.
template <class Problem>
int row_classes_of(compiled_kernel const& of, Problem const& p) {
  if (!of.takes_classes || of.on_tensor_cores()) {
    return 0;
  }
  constexpr int width = widest<typename Problem::input>;
  int const classes = p.a.ld % width == 0 ? 1 : p.a.ld % 2 == 0 ? 2 : 4;
  int shift = 0;
  bool const possible = p.k > 0 && p.m >= classes && p.k < 0x7fffffff - longest_shift &&
                        tma_can_load(matrices_of_class(of, p, classes, 0, shift));
  return possible ? classes : 0;
}

/// Makes the maps of a problem's classes.
template <class Problem>
status encode_row_classes(compiled_kernel const& facts, CUtensorMap& first, row_class_maps& maps, Problem const& p) {
  status result;
  for (int index = 0; index < p.row_classes && result; ++index) {
    auto const of = matrices_of_class(facts, p, p.row_classes, index, maps.shift[index]);
    result = encode_tensor_map(index == 0 ? first : maps.others[index - 1], of);
  }
  return result;
}

}  // namespace gemm::detail
