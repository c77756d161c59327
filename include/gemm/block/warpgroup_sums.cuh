// SPDX-License-Identifier: BSL-1.0
//! @file
//! The sums of a warpgroup: from where wgmma leaves them to runs of neighbours that a thread stores at once.
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>

namespace gemm::detail {

/// Where a consumer thread's elements lie in 32 columns of the block's tile after gather_runs(): in two rows, 8
/// neighbours of each. The four lanes of a row have its 32 columns, so that their stores fill whole sectors of the L2.
template <class Policy>
struct warpgroup_layout {
  static constexpr int block_m = Policy::block_m, block_n = 32;
  static constexpr int rows = 2, columns = 8;

  __device__ static int row(int i) {
    int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads;
    return thread / 32 * 16 + thread % 32 / 4 + i * 8;
  }
  __device__ static int column(int j) { return static_cast<int>(threadIdx.x) % 4 * columns + j; }
};

/// Lanes that differ in this bit swap: the lower's `high` and the upper's `low` change places.
template <int Bit>
__device__ void swap_across(float& low, float& high) {
  bool const upper = (threadIdx.x & Bit) != 0;
  float const theirs = __shfl_xor_sync(0xffffffffU, upper ? low : high, Bit);
  low = upper ? theirs : low;
  high = upper ? high : theirs;
}

/// Gives each lane of four 8 neighbours of a row, of which wgmma has left it 2 and the others the rest: the lanes turn
/// their 4 x 4 pairs. Of the 32 columns from `first` on; by whole warps.
template <int Sums>
__device__ void gather_runs(float const (&sum)[Sums], int first, float (&runs)[2][8]) {
#pragma unroll
  for (int row = 0; row < 2; ++row) {
#pragma unroll
    for (int element = 0; element < 2; ++element) {
      float x[4];  // of a pair of each 8 columns
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        x[j] = sum[first / 2 + 4 * j + 2 * row + element];
      }
      swap_across<2>(x[0], x[2]);
      swap_across<2>(x[1], x[3]);
      swap_across<1>(x[0], x[1]);
      swap_across<1>(x[2], x[3]);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        runs[row][2 * j + element] = x[j];
      }
    }
  }
}

/// Stores a warpgroup's sums, 32 columns after the other: so few of them are there twice.
template <class Policy, int Sums, class Problem>
__device__ void store_sums(Problem const& p, float const (&sum)[Sums], block_tile const& tile) {
  using layout = warpgroup_layout<Policy>;
#pragma unroll
  for (int first = 0; first < 2 * Sums; first += layout::block_n) {
    float runs[layout::rows][layout::columns];
    gather_runs(sum, first, runs);
    store_tile<layout, layout::columns>(p, runs, {tile.row, tile.column + first, tile.batch});
  }
}

}  // namespace gemm::detail
