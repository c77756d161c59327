// SPDX-License-Identifier: BSL-1.0
//! @file
//! The producer of rung 11, which evaluates the schedule, publishes its works and loads their tiles.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/collective/load_tma.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/next_work.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// One thread publishes all works of its block and loads their tiles. The end is published to so many consumers,
/// which take works in turn.
template <class Policy, class Problem>
__device__ void produce(wgmma_block<Policy, Problem> const& block, int readers) {
  auto& shared = block.shared;
  ring_place<Policy::stages> position;
  ring_place<work_slots> slot;
  work w;
  for (int step = 0; next_work(block.params.order, place_in_grid(), step, w); ++step) {
    shared.works.publish(slot, w, position);
    // For who writes the operands, once the first work is published, which hides latency; then it is over.
    arch::wait_for_dependency();
    load_tma<Policy, Problem>::run(block, w, position, true, load_no_scales{});
  }
  w.k_tiles = -1;
  for (int i = 0; i < readers; ++i) {
    shared.works.publish(slot, w, position);
  }
  if constexpr (cluster_place<Policy>::sources > 1) {
    wait_until_read(shared.empty, position);
  }
}

/// Where operands have scales of blocks, the other warps of its warpgroup load those of the same works.
template <class Policy, class Problem>
__device__ void produce_scales(wgmma_block<Policy, Problem> const& block) {
  arch::wait_for_dependency();  // for who writes them
  scale_place<Policy, Problem> position;
  work w;
  for (int step = 0; next_work(block.params.order, place_in_grid(), step, w); ++step) {
    scale_loader<Policy, Problem> loader(block.problem(), block.tile(w), w.k_begin,
                                         static_cast<int>(threadIdx.x) - Policy::consumer_threads - 32);
#pragma unroll 1
    for (int k = 0; k < w.k_tiles; ++k, position.advance()) {
      position.wait(block.shared);
      loader.load(block.shared, position.next.stage);
    }
  }
}

}  // namespace gemm::detail
