// SPDX-License-Identifier: BSL-1.0
//! @file
//! What becomes of the accumulators of a range of k. reduce() says whether they are the tile's, which the store then
//! has.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/named_barrier.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/reduce.cuh>

namespace gemm::detail {

/// Puts a warpgroup's accumulators into the block's tile in shared memory.
template <class Policy, int Count, class Accum>
__device__ void share_slice(Accum const (&accum)[Count], Accum* shared, int warpgroup) {
  constexpr int pitch = shared_tile_pitch<Policy, Accum>;
  constexpr bool swaps = Policy::block_m < 64;
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32 % 4;
  int const first = warpgroup * 64 + warp * 16 + lane / 4, second = lane % 4 * 2;  // of wgmma's rows and columns
#pragma unroll
  for (int j = 0; j < Count / 4; ++j) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      Accum const* const pair = accum + 4 * j + 2 * half;
      int const row = first + 8 * half, column = second + 8 * j;
      if constexpr (swaps) {
        shared[column * pitch + row] = pair[0];
        shared[(column + 1) * pitch + row] = pair[1];
      } else {
        store_vector(shared + row * pitch + column, vector<Accum, 2>{pair[0], pair[1]});
      }
    }
  }
}

/// Slices go to the workspace as they lie in registers, for a second kernel, or are added by the cluster.
template <class Policy, class Problem, class Accum, int Pieces, int Count>
__device__ bool reduce(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                       Accum const (&accum)[Pieces][Count]) {
  if constexpr (supports_slices<Policy, Problem>) {
    if (w.mode == reduction::workspace) {
      store_slice<Policy>(block.params, w, block.rank, accum);
      return false;
    }
  }
  if constexpr (supports_cluster_slices<Policy> && Pieces == 1) {
    if (w.mode == reduction::cluster) {  // of the block's only work: its ring is free
      auto* const shared_tile = reinterpret_cast<Accum*>(&block.shared);
      arch::named_barrier_sync(1, Policy::consumer_threads);  // for all consumers to have read the last tiles
      share_slice<Policy>(accum[0], shared_tile, block.warpgroup);
      store_cluster_accum<Policy, Policy::consumer_threads>(block.problem(w), w.slices, shared_tile,
                                                            static_cast<int>(threadIdx.x), tile);
      return false;
    }
  }
  return true;
}

}  // namespace gemm::detail
