// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 2, coalesced: the naive kernel with the map from threads to elements transposed.
//!
//!     one block of C          Lanes 0 1 2 ... of a warp walk along a row: all read the same element of A, and
//!     0  1  2 ... 31          neighbours of B and C, so that one access is one to four sectors, fully used.
//!     32 33 34 ...
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/problem.cuh>
#include <gemm/block/thread_per_element.cuh>

namespace gemm {

namespace detail {

// The 1 leaves the compiler registers for loads in flight (docs/tuning-notes.md, coalesced).
template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads, 1) coalesced_kernel(__grid_constant__ Problem const p) {
  block_tile const tile = tile_of_block<Policy>(p);
  int const row = threadIdx.x / Policy::block_n, column = threadIdx.x % Policy::block_n;
  constexpr int step = Wide ? Policy::template access_width<typename Problem::element_a, major::k> : 1;
  compute_element<step>(p, tile.row + row, tile.column + column, tile.batch);
}

}  // namespace detail

/// One thread per element of C, warps along its rows. Block: the elements of one thread block.
template <class Block>
struct coalesced : detail::thread_per_element<Block> {
  /// Elements of an access to a k-major operand: 4 bytes, as many as a float has, where addresses allow it.
  template <class T, major Major>
  static constexpr int access_width = Major == major::k && sizeof(T) < 4 ? 4 / static_cast<int>(sizeof(T)) : 1;

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::coalesced_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
