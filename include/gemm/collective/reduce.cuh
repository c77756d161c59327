// SPDX-License-Identifier: BSL-1.0
//! @file
//! What becomes of the accumulators of a range of k. reduce() says whether they are the tile's, which the store then
//! has.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/named_barrier.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/collective/store_shared.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/reduce.cuh>

namespace gemm::detail {

/// Slices go to the workspace as they lie in registers, for a second kernel, or are added by the cluster.
template <class Policy, class Problem, class Accum, int Pieces, int Count>
__device__ bool reduce(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                       Accum const (&accum)[Pieces][Count]) {
  if constexpr (!Policy::is_persistent) {
    return true;  // store_shared does it
  }
  if constexpr (supports_slices<Policy, Problem>) {
    if (w.mode == reduction::workspace) {
      store_slice<Policy>(block.params, w, block.rank, accum);
      return false;
    }
  }
  if constexpr (supports_cluster_slices<Policy> && Pieces == 1 && Policy::is_persistent) {
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
