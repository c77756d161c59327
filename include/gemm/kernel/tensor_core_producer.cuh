// SPDX-License-Identifier: BSL-1.0
//! @file
//! The producer of rung 11, and what of C and of k its blocks go through.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/tensor_core_tile.cuh>

namespace gemm::detail {

/// action(tile, range) for what a block has of C: the cluster's tile, and of k all or a slice.
template <class Policy, class Problem, class Action>
__device__ void for_each_range(Problem const& p, Action action) {
  using of_cluster = typename tensor_core_tiles<Policy, Problem>::of_cluster;
  for_each_tile<of_cluster>(p, [&](block_tile const& tile) { action(tile, range_of_persistent(p, tile)); });
}

/// One thread has the tiles of all of the block's tiles of C brought, or its share of what the cluster's blocks have in
/// common.
template <class Policy, class Problem>
__device__ void bring_tiles(tma_problem<Problem> const& x, typename Policy::shared_storage& shared,
                            cluster_place<Policy> const& place) {
  using tiles = tensor_core_tiles<Policy, Problem>;
  Problem const& p = x.problem;
  ring_place<Policy::stages> at;
  for_each_range<Policy>(p, [&](block_tile const& of_cluster, k_range const& range) {
    block_tile const tile = tiles::own(of_cluster, place);
    // For who writes the operands, once it is known which tile is the first (H200, bf16 1000^3 in clusters of four: 7.9
    // us, 8.2 the other way round); for the next ones that is over.
    arch::wait_for_dependency();
    int const batch_a = p.a.batch_stride == 0 ? 0 : static_cast<int>(range.batch);
    int const batch_b = p.b.batch_stride == 0 ? 0 : static_cast<int>(range.batch);
    int const row = static_cast<int>(tile.row), column = static_cast<int>(tile.column);
    // The operands of slices are most often read once.
    bool const once_a = sums_slices<Problem> && p.tiles_n == 1, once_b = sums_slices<Problem> && p.tiles_m == 1;
    // Of a block whose tile lies outside C, the others need what they share: the rest is zeros, which TMA is slow to
    // fill in (H200, bf16 nt 1288^3 in 128 x 128, cluster<1, 2>: 16.7 us, without 15.1).
    bool const brings_a = Policy::cluster_n > 1 || Policy::cluster_m == 1 || tile.row < p.m;
    bool const brings_b = Policy::cluster_m > 1 || Policy::cluster_n == 1 || tile.column < p.n;
    int const end = static_cast<int>(range.first + range.depth);
    auto const bring = [&](brought const& from_a, brought const& from_b) {
      int const bytes = (brings_a ? tiles::a::template bytes_of<Policy::cluster_n>(from_a.count) : 0) +
                        (brings_b ? tiles::b::template bytes_of<Policy::cluster_m>(from_b.count) : 0);
      for (int k = static_cast<int>(range.first); k < end; k += Policy::block_k, at.advance()) {
        arch::mbarrier& full = shared.full[at.stage];
        // For the consumers, those of the blocks that get what this one loads included, to have read the last tiles.
        arch::mbarrier_wait_parity(shared.empty[at.stage], at.phase ^ 1);
        arch::mbarrier_arrive_expect_tx(full, static_cast<std::uint32_t>(bytes));
        if (brings_a) {
          tiles::a::template load_part<Policy::cluster_n>(shared.a[at.stage], from_a.map, full, row, k, batch_a,
                                                          place.n, place.sharing_a(), once_a, from_a.count);
        }
        if (brings_b) {
          tiles::b::template load_part<Policy::cluster_m>(shared.b[at.stage], from_b.map, full, column, k, batch_b,
                                                          place.m, place.sharing_b(), once_b, from_b.count);
        }
      }
    };
    // Apart, as what is no constant comes through other registers at each step (H200, bf16 1024^3: 6.4 us, by
    // constants 6.2); but not in the largest tiles, for which ptxas spills.
    constexpr bool apart = Policy::block_m * Policy::block_n <= 32768;
    constexpr int most_a = tiles::a::template most<Policy::cluster_n>,
                  most_b = tiles::b::template most<Policy::cluster_m>;
    if (has_edges<Problem> && (!apart || tile.row + Policy::block_m > p.m || tile.column + Policy::block_n > p.n)) {
      bring(brought_a(x, tile.row + Policy::block_m, most_a), brought_b(x, tile.column + Policy::block_n, most_b));
    } else {
      bring({x.a, most_a}, {x.b, most_b});
    }
  });
  if constexpr (cluster_place<Policy>::sources > 1) {
    wait_until_read(shared.empty, at);
  }
}

}  // namespace gemm::detail
