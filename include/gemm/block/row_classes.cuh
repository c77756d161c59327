// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rows of a k-major A that begin anywhere, as TMA can bring them where they are.
//!
//!     row 0      |0 1 2 3|4 5 6 7|            An odd lda: every fourth row begins at the same distance from a multiple
//!     row 1      |. 0 1 2|3 4 5 6|            of 16 bytes, its `shift`. The rows of such a class are a matrix for TMA,
//!     row 2      |. . 0 1|2 3 4 5|            4 * lda from line to line, with so many elements ahead of the first k.
//!
//! A block's tile of C has rows of one class alone. Of A it takes what lies from a multiple of 16 bytes on, of B what
//! lies `shift` rows before, where TMA finds nothing at first, and brings zeros. What is ahead of a row of A is its
//! neighbour's or nobody's, and may be a NaN: the consumers clear it.
//!
//! Lines of an mn-major operand cannot come so: TMA would have to begin in them at any element, which it does not (an
//! illegal instruction on an H200). And four boxes instead of one for a tile of B, where lines are aligned, took up to
//! a fifth longer in tiles of k_groups (512^3 10.1 instead of 9.0 us, 4096^3 in 64 x 64 tiles 2.95 instead of 2.64 ms).
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/turned_squares.cuh>
#include <gemm/epilogue.hpp>

namespace gemm {

/// The maps of A's rows but those of class 0, whose map is A's, and the shifts of all. Not for users; it is not in
/// detail for the kernels' symbols.
struct row_class_maps {
  CUtensorMap others[3];
  int shift[4];
};

namespace detail {

/// What k may be longer by, where rows have shifts.
inline constexpr int longest_shift = 3;

/// Whether a policy's kernel takes A's rows by their classes where a problem says so: if it has `misaligned_rows_tma`.
template <class Policy, class Problem>
inline constexpr bool takes_row_classes =
    Policy::info.options.misaligned_rows_tma&& Problem::storage::a == major::k && !reads_k_major_b<Policy, Problem>;

/// An epilogue that is told the rows of a class: of those, `row` counts each so many-th.
template <class Epilogue>
struct epilogue_of_class {
  Epilogue epilogue;
  int first, bits;

  template <class V>
  __device__ auto operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply(epilogue, value, (row << bits) + first, column, batch);
  }

  template <class Out, class Functions, class V>
  __device__ auto last(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply_last<Out, Functions>(epilogue, value, (row << bits) + first, column, batch);
  }
};

/// A problem whose C has the rows of a class alone.
template <class Problem>
struct problem_of_class : Problem {
  epilogue_of_class<decltype(Problem::epilogue)> epilogue;  // in place of the problem's
};

/// The rows of C that a block has: those from `index` on, each so many-th as there are classes, and of those the ones
/// from `first` on. Neighbouring tiles have different classes, so that memory is read in one place at a time.
struct row_class {
  int index, shift, first;
};

template <class Policy, class Problem>
__device__ row_class class_of(Problem const& p, row_class_maps const& maps, block_tile const& tile) {
  int const row = static_cast<int>(tile.row);
  if (!takes_row_classes<Policy, Problem> || p.row_classes == 0) {
    return {0, 0, row};
  }
  int const number = row / Policy::block_m, index = number % p.row_classes;
  return {index, maps.shift[index], number / p.row_classes * Policy::block_m};
}

/// The problem whose C has the rows of the class alone, and where the tile is in there.
template <class Policy, class Problem>
__device__ auto rows_of_class(Problem const& p, row_class const& rows, block_tile& tile) {
  if constexpr (takes_row_classes<Policy, Problem>) {
    int const bits = p.row_classes / 2;  // 1, 2 or 4 classes
    problem_of_class<Problem> only{p, {p.epilogue, rows.index, bits}};
    if (p.row_classes > 0) {
      tile.row = rows.first;
      only.m = (p.m - rows.index + p.row_classes - 1) >> bits;
      only.c.data += rows.index * p.c.ld;
      only.c.ld <<= bits;
    }
    return only;
  } else {
    return p;
  }
}

/// The map of its rows of A.
template <class Maps>
__device__ CUtensorMap const& map_of_class(Maps const& x, row_class const& rows) {
  return rows.index == 0 ? x.a : x.rows.others[rows.index - 1];
}

/// By all consumers before they read: clears what of the first tiles of k is ahead of the rows of A, in pieces of 16
/// bytes that TMA has swizzled. Those do it who read the first tile; the others, which read ahead without need when
/// they have read their last, wait for them.
template <class Policy, bool Tma, class Fragments, class Maps, class Storage>
__device__ void clear_ahead(Maps const& x, Storage& shared, block_tile const& tile, k_range const& range) {
  int const shift = Tma ? class_of<Policy>(x.problem, x.rows, tile).shift : 0;
  if (shift == 0 || range.first > 0) {
    return;
  }
  if (Fragments::group() == 0) {
    arch::mbarrier_wait_parity(shared.full[0], 0);  // for the first tile
    for (int row = Fragments::thread_of_group(); row < Policy::block_m; row += Policy::group_threads) {
      auto* const line = shared.a[0].by_row[row];
      auto* const first = line + reinterpret_cast<std::uintptr_t>(line) / 128 % 8 * 4;
      for (int k = 0; k < shift; ++k) {
        first[k] = 0;
      }
    }
    arch::fence_proxy_async();  // before TMA writes there again
  }
  arch::named_barrier_sync(1, Policy::consumer_threads);  // for all rows
}

}  // namespace detail

}  // namespace gemm
