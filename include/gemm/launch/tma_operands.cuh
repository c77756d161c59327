// SPDX-License-Identifier: BSL-1.0
//! @file
//! A policy's operands as TMA is to see them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/packed_storage.hpp>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Whether the L2 should read on where a block reads 128 bytes of a row. Not if rows are misaligned, nor if each is far
/// from the next, nor if a skinny tile has many (docs/tuning-notes.md, Launches).
inline bool reads_on(compiled_kernel const& kernel, std::int64_t lines, std::size_t line_bytes) {
  constexpr std::size_t long_line = 1 << 17;
  return !kernel.loads_swizzled() ||
         (line_bytes % 128 == 0 && line_bytes < long_line && !(kernel.is_small_tile() && are_many_lines(lines)));
}

/// The box of one load of a tile of Outer x K that a block loads in so many parts; see sm90_simt_tma, and for rows
/// and parts swizzled_tile.
template <class Policy, major Major, class T>
constexpr operand_box box_of(int tile_outer, int parts) {
  constexpr bool by_row = Major == major::k, by_line = Policy::info.loads_swizzled();
  int const outer = by_line ? outer_of_line(tile_outer, sizeof(T)) : tile_outer;
  auto const line = static_cast<std::size_t>(outer) * sizeof(T);
  tma_swizzle const of_line = line == 128  ? tma_swizzle::bytes_128
                              : line == 64 ? tma_swizzle::bytes_64
                                           : tma_swizzle::bytes_32;
  return {.by_row = by_row,
          .inner = by_row ? Policy::block_k : outer,
          .outer = ratio(by_row ? tile_outer : Policy::block_k, parts),
          .swizzle = by_row    ? tma_swizzle::bytes_128
                     : by_line ? of_line
                               : tma_swizzle::none,
          .most = by_row ? ratio(tile_outer, parts) : in_whole_lines(tile_outer, sizeof(T)),
          .step = by_row ? 8 : outer,
          .steps = by_row ? parts : 1};
}

/// The parameters of the tensor map of an operand that is loaded in such boxes.
template <class T>
tma_matrices<T> matrices_of(compiled_kernel const& kernel, operand_box const& box, strided<T const> const& from,
                            std::int64_t extent, std::int64_t k, std::int64_t products) {
  return {
      .data = from.data,
      .inner = box.by_row ? k : extent,
      .outer = box.by_row ? extent : k,
      .batches = from.batch_stride == 0 ? 1 : products,
      .ld = from.ld,
      .batch_stride = from.batch_stride,
      .box_inner = box.inner,
      .box_outer = box.outer,
      .swizzle = box.swizzle,
      .reads_on = reads_on(kernel, box.by_row ? extent : k, static_cast<std::size_t>(from.ld) * element_bits<T> / 8)};
}

/// Of a copy of B in columns of squares (block/smem_transpose.cuh), each of which is a matrix, and tiles of so many.
template <class T>
tma_matrices<T> squares_of(int tile_n, T const* data, std::int64_t n, std::int64_t k, std::int64_t products) {
  return {.data = data,
          .inner = square_side,
          .outer = k,
          .batches = square_columns(n) * products,
          .ld = square_side,
          .batch_stride = k * square_side,
          .box_inner = square_side,
          .box_outer = square_side,
          .box_batches = tile_n / square_side};
}

template <class Problem>
[[gnu::noinline]] auto matrices_of_a(compiled_kernel const& kernel, Problem const& p) {
  return matrices_of(kernel, kernel.a, p.a, p.m, p.k, p.batch_count);
}
template <class Problem>
[[gnu::noinline]] auto matrices_of_b(compiled_kernel const& kernel, Problem const& p) {
  if (kernel.smem_transposes && p.squares_of_b) {
    return squares_of(kernel.block_n, p.b.data, p.n, p.k, p.b.batch_stride == 0 ? 1 : p.batch_count);
  }
  return matrices_of(kernel, kernel.b, p.b, p.n, p.k, p.batch_count);
}

/// Makes the map of an operand's tiles that lie partly outside C, of which so much is within: they load only few zeros.
/// The others' map, where no tile does.
template <class T>
status encode_edge(operand_box const& box, tma_matrices<T> matrices, int within, CUtensorMap const& whole,
                   CUtensorMap& map, int& loaded) {
  loaded = within == 0 ? box.most : box.loaded_of(within);
  map = whole;
  matrices.box_outer = loaded;
  return box.by_row && loaded < box.most ? encode_tensor_map(map, matrices) : status{};
}
template <class Problem>
status encode_edges(compiled_kernel const& kernel, tma_problem<Problem>& params) {
  Problem const& p = params.problem;
  tma_edges& edges = params.edges;
  status const result = encode_edge(kernel.a, matrices_of_a(kernel, p), rows_at_edge(p, kernel.block_m), params.a,
                                    edges.a, edges.loaded_a);
  return result ? encode_edge(kernel.b, matrices_of_b(kernel, p), columns_at_edge(p, kernel.block_n), params.b, edges.b,
                              edges.loaded_b)
                : result;
}

/// Of all products: C of ragged rows is one matrix.
template <class Problem>
auto matrices_of_c(Problem const& p) {
  using output = typename Problem::output;
  using box = staged_box<output>;
  return tma_matrices<output>{.data = p.c.data,
                              .inner = p.n,
                              .outer = p.m,
                              .batches = p.c.batch_stride == 0 ? 1 : p.batch_count,
                              .ld = p.c.ld,
                              .batch_stride = p.c.batch_stride,
                              .box_inner = box::columns,
                              .box_outer = box::rows,
                              .swizzle = tma_swizzle::bytes_128};
}

/// Whether TMA can store C and nothing else: it writes whole pieces of 16 bytes, of which the last in a row must be
/// C's.
template <class Problem>
bool tma_can_store(Problem const& p) {
  return p.n % widest<typename Problem::output> == 0 && tma_can_load(matrices_of_c(p));
}

/// Whether TMA can load both operands as the policy needs them.
template <class Problem>
bool loads_by_tma(compiled_kernel const& kernel, Problem const& p) {
  return kernel.loads_as_stored && tma_can_load(matrices_of_a(kernel, p)) && tma_can_load(matrices_of_b(kernel, p));
}

/// Whether TMA has coordinates for a problem, wherever its operands lie. `and_k`: what to say of k besides, where it
/// may not be as large as the others.
template <class Problem>
status check_tma_extents(Problem const& p, std::int64_t most_k = 0x7fffffff, char const* and_k = "") {
  using wide = long long;
  constexpr std::int64_t most = 0x7fffffff;
  if (p.m <= most && p.n <= most && p.k <= most_k && p.batch_count <= most) {
    return {};
  }
  return {status_code::invalid_argument,
          cudaSuccess,
          "m = %lld, n = %lld, k = %lld, batch %lld: TMA needs each to be 2^31 - 1 or less%s",
          wide{p.m},
          wide{p.n},
          wide{p.k},
          wide{p.batch_count},
          and_k};
}

}  // namespace gemm::detail
