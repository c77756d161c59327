// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the blocks of kernels that multiply split terms have in shared memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/shared_load.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/emulation/unscale.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// The stages of a ring: tiles of A and B in rows of 128 bytes.
template <int M, int N, int Stages>
struct term_stages {
  unsigned char a[Stages][M * 128], b[Stages][N * 128];
};

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

/// The warp's buffer. Asked for again after a main loop, so that no register holds its address meanwhile.
template <class Storage>
__device__ auto& buffer_of_warp(Storage& shared) {
  int warp = static_cast<int>(threadIdx.x) / 32;
  arch::make_opaque(warp);
  return shared.of_warp[warp];
}

}  // namespace gemm::detail
