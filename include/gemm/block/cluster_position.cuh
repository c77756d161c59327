// SPDX-License-Identifier: BSL-1.0
//! @file
//! Clusters whose blocks load tiles for one another.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/mbarrier.cuh>

namespace gemm {

/// The blocks of a cluster, along m and along n, which share what they load.
template <int M, int N = 1>
struct cluster {
  static constexpr int m = M;  ///< along m
  static constexpr int n = N;  ///< along n
};

namespace detail {

/// A block's position in its cluster, and which blocks share its loads: the tile of A with those beside it, that of B
/// with those below and above it. Ranks count along m first.
template <class Policy>
struct cluster_position {
  static constexpr int blocks_m = Policy::cluster_m, blocks_n = Policy::cluster_n;
  static constexpr unsigned row_mask = [] {  // those that have the same tile of A as the first
    unsigned blocks = 0;
    for (int i = 0; i < blocks_n; ++i) {
      blocks |= 1U << i * blocks_m;
    }
    return blocks;
  }();
  int m = 0, n = 0;

  __device__ static cluster_position of_block() {
    if constexpr (blocks_m * blocks_n == 1) {
      return {};
    } else {
      auto const rank = static_cast<int>(arch::cluster_rank());
      return {blocks_n == 1 ? rank : rank % blocks_m, blocks_n == 1 ? 0 : rank / blocks_m};  // 0 is no register
    }
  }

  /// One bit for each of the blocks that have the tile of A, or of B.
  __device__ unsigned sharing_a() const { return row_mask << m; }
  __device__ unsigned sharing_b() const { return ((1U << blocks_m) - 1) << n * blocks_m; }

  /// Blocks that load what this one reads, itself included, and the rank of the i-th.
  static constexpr int sources = blocks_m + blocks_n - 1;
  __device__ int source(int i) const {
    if constexpr (blocks_m * blocks_n <= 2) {
      return i;  // both, in no register
    }
    if (i < blocks_m) {
      return n * blocks_m + i;
    }
    int const other = i - blocks_m;
    return (other < n ? other : other + 1) * blocks_m + m;
  }
};

}  // namespace detail

}  // namespace gemm
