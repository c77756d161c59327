// SPDX-License-Identifier: BSL-1.0
//! @file
//! Consumers of rung 11 that multiply on while their last tile of C is stored.
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/cluster_place.cuh>
#include <gemm/block/overlapped_epilogue.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/kernel/sm90_wgmma_mainloop.cuh>
#include <gemm/kernel/sm90_wgmma_single_tile.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// A warpgroup multiplies its 64 rows of all of the block's works. The accumulators of each are rounded and kept in
/// registers; TMA stores them box by box during the first multiplications of the next work. The other warpgroup's last
/// multiplications cover part of the rounding.
///
/// read(stage) as for multiply_plain_tiles(); store(work, tile) stores slices, the last tile, and all tiles where TMA
/// cannot. The work is read after the last multiplication: before, ptxas adds 16 instructions to the main loop.
template <class Policy, class Problem, class Read, class Store>
__device__ void consume_overlapped(tma_store_problem<Problem> const& x, typename Policy::shared_storage& shared,
                                   int warpgroup, cluster_place<Policy> const& place, ring_place<Policy::stages>& at,
                                   int& next, typename Problem::accum (&sum)[1][Policy::accumulators], Read read,
                                   Store store) {
  using tiles = sm90_wgmma_tiles<Policy, Problem>;
  auto& staged = shared.c[static_cast<int>(threadIdx.x) / 32];
  overlapped_boxes<warpgroup_layout<Policy>, Problem, Policy::accumulators> waiting;
  auto const store_next = [&] { waiting.store_next(x, staged, next); };
  ring_place<work_slots> slot;
  int k_tiles = shared.works.wait(slot);
#pragma unroll 1
  while (k_tiles >= 0) {
    auto const store_left = [&] {
#pragma unroll 1
      while (waiting.left > 0) {  // where k is short
        store_next();
      }
    };
    multiply_plain_tiles<Policy, Problem>(k_tiles, shared, warpgroup, at, sum, read, store_next, store_left);
    work const w = shared.works.take(slot);
    block_tile const tile = tiles::own(w, place);
    k_tiles = shared.works.wait(slot);
    if (x.stores && k_tiles >= 0 && w.how == reduction::none) {
      waiting.take(x.loads.problem, sum[0], tile);
      continue;
    }
    store(w, tile);
    waiting.forget();
  }
}

}  // namespace gemm::detail
