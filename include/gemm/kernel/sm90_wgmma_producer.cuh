// SPDX-License-Identifier: BSL-1.0
//! @file
//! The producer of rung 11, which evaluates the schedule, publishes its works and loads their tiles.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/kernel/sm90_wgmma_single_tile.cuh>
#include <gemm/schedule/next_work.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// One thread loads the tiles of A and B of a work, or its share of what the cluster's blocks have in common.
template <class Policy, class Problem>
__device__ void load_work(tma_problem<Problem> const& x, typename Policy::shared_storage& shared, work const& w,
                          cluster_place<Policy> const& place, ring_place<Policy::stages>& at) {
  using tiles = sm90_wgmma_tiles<Policy, Problem>;
  Problem const& p = x.problem;
  block_tile const tile = tiles::own(w, place);
  int const batch_a = p.a.batch_stride == 0 ? 0 : w.batch, batch_b = p.b.batch_stride == 0 ? 0 : w.batch;
  int const row = static_cast<int>(tile.row), column = static_cast<int>(tile.column);
  // The operands of slices are most often read once.
  bool const sliced = takes_slices<Policy, Problem> && w.how != reduction::none;
  bool const once_a = sliced && p.tiles_n == 1, once_b = sliced && p.tiles_m == 1;
  // A block whose tile lies outside C loads only what the others share: TMA is slow to fill in the zeros of the rest.
  bool const loads_a = Policy::cluster_n > 1 || Policy::cluster_m == 1 || tile.row < p.m;
  bool const loads_b = Policy::cluster_m > 1 || Policy::cluster_n == 1 || tile.column < p.n;
  int const first = w.k_begin * Policy::block_k, end = w.k_begin + w.k_tiles;
  auto const load_by = [&](loaded const& from_a, loaded const& from_b) {
    int const bytes = (loads_a ? tiles::a::template bytes_of<Policy::cluster_n>(from_a.count) : 0) +
                      (loads_b ? tiles::b::template bytes_of<Policy::cluster_m>(from_b.count) : 0);
    int k = first;
    for (int tile_of_k = w.k_begin; tile_of_k < end; ++tile_of_k, k += Policy::block_k, at.advance()) {
      arch::mbarrier& full = shared.full[at.stage];
      // For the consumers, those of the blocks that get what this one loads included, to have read the last tiles.
      arch::mbarrier_wait_parity(shared.empty[at.stage], at.phase ^ 1);
      arch::mbarrier_arrive_expect_tx(full, static_cast<std::uint32_t>(bytes));
      if (loads_a) {
        tiles::a::template load_part<Policy::cluster_n>(shared.a[at.stage], from_a.map, full, row, k, batch_a, place.n,
                                                        place.sharing_a(), once_a, from_a.count);
      }
      if (loads_b) {
        tiles::b::template load_part<Policy::cluster_m>(shared.b[at.stage], from_b.map, full, column, k, batch_b,
                                                        place.m, place.sharing_b(), once_b, from_b.count);
      }
    }
  };
  // Apart, so that inner tiles have constants; but not in the largest tiles, for which ptxas spills.
  constexpr bool apart = Policy::block_m * Policy::block_n <= 32768;
  constexpr int most_a = tiles::a::template most<Policy::cluster_n>,
                most_b = tiles::b::template most<Policy::cluster_m>;
  if (has_edges<Problem> && (!apart || tile.row + Policy::block_m > p.m || tile.column + Policy::block_n > p.n)) {
    load_by(loaded_a(x, tile.row + Policy::block_m, most_a), loaded_b(x, tile.column + Policy::block_n, most_b));
  } else {
    load_by({x.a, most_a}, {x.b, most_b});
  }
}

/// One thread publishes all works of its block and loads their tiles. The end is published to so many consumers,
/// which take works in turn.
template <class Policy, class Problem>
__device__ void produce_works(tma_problem<Problem> const& x, schedule const& order,
                              typename Policy::shared_storage& shared, cluster_place<Policy> const& place,
                              int readers) {
  ring_place<Policy::stages> at;
  ring_place<work_slots> slot;
  work w;
  for (int turn = 0; next_work(order, place_in_grid(), turn, w); ++turn) {
    shared.works.publish(slot, w, at);
    // For who writes the operands, once the first work is published, which hides latency; then it is over.
    arch::wait_for_dependency();
    load_work<Policy>(x, shared, w, place, at);
  }
  w.k_tiles = -1;
  for (int i = 0; i < readers; ++i) {
    shared.works.publish(slot, w, at);
  }
  if constexpr (cluster_place<Policy>::sources > 1) {
    wait_until_read(shared.empty, at);
  }
}

/// Where operands have scales of blocks, the other warps of its warpgroup load those of the same works.
template <class Policy, class Problem>
__device__ void produce_scales(Problem const& p, schedule const& order, typename Policy::shared_storage& shared,
                               cluster_place<Policy> const& place) {
  arch::wait_for_dependency();  // for who writes them
  scale_place<Policy, Problem> at;
  work w;
  for (int turn = 0; next_work(order, place_in_grid(), turn, w); ++turn) {
    scale_loader<Policy, Problem> loader(p, sm90_wgmma_tiles<Policy, Problem>::own(w, place), w.k_begin,
                                         static_cast<int>(threadIdx.x) - Policy::consumer_threads - 32);
#pragma unroll 1
    for (int k = 0; k < w.k_tiles; ++k, at.advance()) {
      at.wait(shared);
      loader.load(shared, at.next.stage);
    }
  }
}

}  // namespace gemm::detail
