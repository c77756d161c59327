// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where a thread's elements lie when a block tile is made of warp tiles.
#pragma once

#include <cuda_runtime.h>

#include <gemm/policy.hpp>

namespace gemm::detail {

/// block tile -> warp tiles -> iterations -> lanes -> thread tiles.
///
/// The lanes of a warp cover lanes_m * thread_m x lanes_n * thread_n elements at a time. They walk over the warp's tile
/// in iterations_m x iterations_n steps, so that their 16-byte accesses to a row of shared memory are neighbours.
template <class Policy>
struct warp_layout {
  static constexpr int block_m = Policy::block_m, block_n = Policy::block_n;
  static constexpr int lanes_m = lanes_along_m(Policy::warp_m, Policy::warp_n, Policy::thread_m, Policy::thread_n);
  static constexpr int lanes_n = 32 / lanes_m;
  static constexpr int step_m = lanes_m * Policy::thread_m, step_n = lanes_n * Policy::thread_n;
  static constexpr int iterations_m = Policy::warp_m / step_m, iterations_n = Policy::warp_n / step_n;
  /// Rows and columns of the accumulators that one thread owns.
  static constexpr int rows = iterations_m * Policy::thread_m, columns = iterations_n * Policy::thread_n;

  /// The thread's first row and column in the block's tile.
  __device__ static int row() { return thread_warp() / warps_n * Policy::warp_m + lane_row() * Policy::thread_m; }
  __device__ static int column() { return thread_warp() % warps_n * Policy::warp_n + lane_column() * Policy::thread_n; }

  /// The thread's i-th row and j-th column in the block's tile.
  __device__ static int row(int i) { return row() + row_offset(i); }
  __device__ static int column(int j) { return column() + column_offset(j); }

  /// Where they lie, relative to its first.
  __device__ static constexpr int row_offset(int i) { return i / Policy::thread_m * step_m + i % Policy::thread_m; }
  __device__ static constexpr int column_offset(int j) { return j / Policy::thread_n * step_n + j % Policy::thread_n; }

 private:
  static constexpr int warps_n = Policy::block_n / Policy::warp_n;

  __device__ static int thread_warp() { return static_cast<int>(threadIdx.x) / 32; }

  // Bit 0 of the lane chooses between two rows, the next bits the column, the others the row. Among four neighbouring
  // lanes at most two then read different elements of A and of B each. So a 128-bit load takes two passes instead of
  // four.
  __device__ static int lane_row() {
    int const lane = static_cast<int>(threadIdx.x) % 32;
    return lanes_m == 1 ? 0 : (lane & 1) | (lane / (2 * lanes_n)) << 1;
  }
  __device__ static int lane_column() {
    int const lane = static_cast<int>(threadIdx.x) % 32;
    return lanes_m == 1 ? lane : lane / 2 % lanes_n;
  }
};

}  // namespace gemm::detail
