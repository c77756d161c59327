// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rings of fp16x3's blocks: one of whole tiles and then, where it was, one of narrow tiles.
//!
//! Stages of narrow tiles are smaller, so that there are more of them and more loads are in flight. Each ring has
//! barriers of its own.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/emulation/unscale.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Tiles of A and B in rows of 128 bytes, and what says of each stage that it has its terms, or may have others.
template <int M, int N, int Stages>
struct term_stages {
  unsigned char a[Stages][M * 128], b[Stages][N * 128];
};
template <int Stages>
struct stage_barriers {
  arch::mbarrier full[Stages], empty[Stages];
};

/// Stages of narrow tiles that fit where a policy's whole ones are.
template <int M, int N, int NarrowN, int Stages>
inline constexpr int narrow_stages = Stages*(M + N) / (M + NarrowN);

/// A warp's memory for a tile: first the exponents of the scales, then rows of C.
template <int Columns>
union warp_buffer {
  warp_exponents<Columns> exponents;
  warp_row_buffer<Columns> lines;
};

/// The tile of a work whose tile is the block's own, which may lie outside C.
template <class Policy>
__device__ block_tile tile_of_work(work const& w) {
  return {std::int64_t{w.tile_m} * Policy::block_m, std::int64_t{w.tile_n} * Policy::block_n, w.batch};
}

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

/// The warp's buffer for such tiles. Asked for again after a main loop, so that no register holds addresses meanwhile.
template <class Policy>
__device__ auto& buffer_of_warp(typename Policy::shared_storage& shared) {
  int warp = static_cast<int>(threadIdx.x) / 32;
  arch::make_opaque(warp);
  if constexpr (Policy::is_narrow) {
    return shared.of_warp[warp].narrow;
  } else {
    return shared.of_warp[warp].whole;
  }
}

}  // namespace gemm::detail
