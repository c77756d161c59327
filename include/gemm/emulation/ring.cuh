// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rings of fp16x3's blocks: one of whole tiles and then, where it was, one of narrow tiles.
//!
//! Stages of narrow tiles take less room, so that there are more of them: what a block waits for is how long its loads
//! take, and with more stages more of them are under way (H200, 4096^3 at its power limit: 719 us, 726 with as many as
//! of whole ones). Each ring has barriers of its own.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>

namespace gemm::detail {

/// Tiles of A and B in lines of 128 bytes, and what says of each stage that it has its parts, or may have others.
template <int M, int N, int Stages>
struct parts_stages {
  unsigned char a[Stages][M * 128], b[Stages][N * 128];
};
template <int Stages>
struct stage_barriers {
  arch::mbarrier full[Stages], empty[Stages];
};

/// Stages of narrow tiles that fit where a policy's whole ones are.
template <int M, int N, int NarrowN, int Stages>
inline constexpr int narrow_stages = Stages*(M + N) / (M + NarrowN);

/// Where a policy's tiles are, whole ones or narrow ones.
template <class Policy>
__device__ auto& stages_of(typename Policy::shared_storage& shared) {
  if constexpr (Policy::is_narrow) {
    return shared.tiles.narrow;
  } else {
    return shared.tiles.whole;
  }
}
template <class Policy>
__device__ auto& barriers_of(typename Policy::shared_storage& shared) {
  if constexpr (Policy::is_narrow) {
    return shared.of_narrow;
  } else {
    return shared.of_whole;
  }
}

}  // namespace gemm::detail
