// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 1, naive: one thread per element of C, with neighbouring threads in the worst order.
//!
//!     one block of C          Lanes 0 1 2 ... of a warp walk down a column: each reads another row of A and writes
//!     0 32 64                 another row of C, so that one access touches 32 sectors of 32 bytes and uses 4 bytes of
//!     1 33 65 ...             each.
//!     2 34 66
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/problem.cuh>
#include <gemm/block/thread_per_element.cuh>

namespace gemm {

namespace detail {

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads) naive_kernel(__grid_constant__ Problem const p) {
  block_tile const tile = tile_of_block<Policy>(p);
  int const row = threadIdx.x % Policy::block_m, column = threadIdx.x / Policy::block_m;
  compute_element<1>(p, tile.row + row, tile.column + column, tile.batch);
}

}  // namespace detail

/// One thread per element of C, warps down its columns. Block: the elements of one thread block.
template <class Block>
struct naive : detail::thread_per_element<Block> {
  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::naive_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
