// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where a consumer thread of the warp-specialised rung is: its group, and its rows and columns of the block's tile.
#pragma once

#include <cuda_runtime.h>

#include <gemm/policy.hpp>

namespace gemm::detail {

/// Lanes of a warp along m: each has 8 rows, or, where that is no power of two, a fourth of the rows each.
constexpr int consumer_lanes_m(int warp_m) { return warp_m % 8 == 0 && divides(warp_m / 8, 32) ? warp_m / 8 : 4; }

/// Rows of a tile of A in shared memory: whole groups of eight, after which the swizzle repeats.
constexpr int swizzled_rows(int block_m) { return (block_m + 7) / 8 * 8; }

/// A thread's place. The lanes are lanes_m x lanes_n. ByRow: rows of A are read as they lie in memory.
template <class Policy, bool ByRow>
class consumer_layout {
 protected:
  static constexpr int warps_m = Policy::block_m / Policy::warp_m, warps_n = Policy::block_n / Policy::warp_n;
  static constexpr int lanes_m = consumer_lanes_m(Policy::warp_m), lanes_n = 32 / lanes_m;

 public:
  static constexpr int block_m = Policy::block_m, block_n = Policy::block_n;
  static constexpr int rows = Policy::warp_m / lanes_m, columns = Policy::warp_n / lanes_n;
  static constexpr bool in_fours = rows % 4 == 0 && rows > 4;

  /// Which of the groups of warps, that share a tile of C, the thread belongs to, and its number in there.
  __device__ static int group() { return Policy::groups == 1 ? 0 : consumer_warp() / (warps_m * warps_n); }
  __device__ static int thread_of_group() { return warp() * 32 + lane(); }

  /// The thread's i-th row and j-th column in the block's tile.
  __device__ static int row(int i) {
    int const ty = (lane() & 1) | lane() / (2 * lanes_n) << 1, first = warp() / warps_n * Policy::warp_m;
    return first + (ByRow || !in_fours ? ty + lanes_m * i : 4 * ty + 4 * lanes_m * (i / 4) + i % 4);
  }
  __device__ static int column(int j) {
    return warp() % warps_n * Policy::warp_n + tx() * 4 + 4 * lanes_n * (j / 4) + j % 4;
  }

 protected:
  __device__ static int tx() { return lane() / 2 % lanes_n; }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static int consumer_warp() { return (static_cast<int>(threadIdx.x) - Policy::producer_threads) / 32; }
  __device__ static int warp() { return consumer_warp() % (warps_m * warps_n); }
};

}  // namespace gemm::detail
