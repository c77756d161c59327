// SPDX-License-Identifier: BSL-1.0
//! @file
//! The consumers of rung 11: a warpgroup multiplies and stores its part of all of the block's works.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/tma_store.cuh>
#include <gemm/block/block_scales.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/overlapped_epilogue.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/transposed_store.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/kernel/sm90_wgmma_overlapped.cuh>
#include <gemm/kernel/sm90_wgmma_single_tile.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// The kernel's operands and C.
template <class Policy, class Problem>
using sm90_wgmma_parameter =
    std::conditional_t<Policy::stores_by_tma, tma_store_problem<Problem>, tma_problem<Problem>>;

/// A warpgroup multiplies and stores its part of all of the block's works.
template <class Policy, class Problem>
__device__ void consume_tiles(scheduled<sm90_wgmma_parameter<Policy, Problem>> const& what,
                              typename Policy::shared_storage& shared, int warpgroup,
                              cluster_place<Policy> const& place) {
  using tiles = sm90_wgmma_tiles<Policy, Problem>;
  auto const& x = what.io;
  Problem const& p = loads_of(x).problem;
  int const source = place.source(static_cast<int>(threadIdx.x) % 32);  // whom this lane tells of what was read
  auto const read = [&](int stage) { give_back<Policy>(shared.empty[stage], source); };
  ring_place<Policy::stages> at;
  auto const for_each_work = [&](auto multiply, auto store) {
    ring_place<work_slots> slot;
#pragma unroll 1
    for (int k_tiles = 0; (k_tiles = shared.works.wait(slot)) >= 0;) {
      multiply(k_tiles, slot);
      work const w = shared.works.take(slot);
      store(w, tiles::own(w, place));
    }
  };
  auto const stores_slice = [&]([[maybe_unused]] work const& w, [[maybe_unused]] auto const& sum) {
    if constexpr (takes_slices<Policy, Problem>) {
      if (w.how == reduction::workspace) {
        store_slice<Policy>(what.workspace, what.order, w, place, sum);
        return true;
      }
    }
    return false;
  };
  if constexpr (has_register_operand<Policy> && tiles::b::needs_transposing) {
    typename Problem::accum sum[register_operand_tile::pieces][Policy::block_m / 2] = {};
    for_each_work(
        [&](int k_tiles, auto const&) {
          multiply_register_operand<Policy, Problem>(k_tiles, shared, warpgroup, at, sum, read);
        },
        [&](work const& w, block_tile const& tile) {
          if (!stores_slice(w, sum)) {
            store_register_operand_tile(p, sum, tile, tile.column + warpgroup * register_operand_tile::columns);
          }
        });
  } else {
    typename Problem::accum sum[Policy::pieces][Policy::accumulators / Policy::pieces] = {};
    int const warp = static_cast<int>(threadIdx.x) / 32;
    int next = 0;  // of the warp's buffers
    auto const store = [&]([[maybe_unused]] work const& w, block_tile const& tile) {
      if (stores_slice(w, sum)) {
        return;
      }
      if constexpr (takes_cluster_slices<Policy>) {
        if (w.how == reduction::cluster) {  // of the block's only work: its ring is free
          auto* const tile_of_accum = reinterpret_cast<typename Problem::accum*>(&shared);
          arch::named_barrier_sync(1, Policy::consumer_threads);  // for all consumers to have read the last tiles
          share_slice<Policy>(sum[0], tile_of_accum, warpgroup);
          store_cluster_accum<Policy, Policy::consumer_threads>(p, w.slices, tile_of_accum,
                                                                static_cast<int>(threadIdx.x), tile);
          return;
        }
      }
      if constexpr (Policy::swaps) {
        int const row = Policy::by_second ? warpgroup * (Policy::block_m / 2) : 0,
                  column = Policy::by_second ? 0 : warpgroup * 64 * Policy::pieces;
#pragma unroll
        for (int piece = 0; piece < Policy::pieces; ++piece) {
          store_transposed(x, shared.c + warpgroup * 4, warpgroup, next, sum[piece],
                           {tile.row + row, tile.column + column + piece * 64, tile.batch});
        }
        return;
      } else if constexpr (Policy::pieces > 1) {
        int const row = Policy::by_second ? 0 : warpgroup * 64 * Policy::pieces,
                  column = Policy::by_second ? warpgroup * (Policy::block_n / 2) : 0;
        store_pieces<Policy>(x, shared.c[warp], next, sum, {tile.row + row, tile.column + column, tile.batch});
        return;
      } else if constexpr (Policy::gathers_rows) {
        if (!p.vector_c && p.beta == 0) {
          store_accum_by_rows<Policy>(p, sum[0], tile, shared.lines[warp]);
          return;
        }
      }
      if constexpr (Policy::stores_by_tma) {
        store_staged<Policy>(x, shared.c[warp], next, sum[0], tile);
      } else {
        store_accum<Policy>(p, sum[0], tile);
      }
    };
    if constexpr (defers_stores<Policy, Problem>) {
      consume_overlapped<Policy>(x, shared, warpgroup, place, at, next, sum, read, store);
    } else {
      for_each_work(
          [&](int k_tiles, [[maybe_unused]] ring_place<work_slots> const& slot) {
            if constexpr (stages_scales<Policy, Problem>) {
              multiply_tiles<Policy, Problem>(k_tiles, shared, warpgroup, at, sum, read,
                                              staged_scales<Policy, Problem>(shared, warpgroup));
            } else if constexpr (has_block_scales<Problem>) {
              work const& w = shared.works.item[slot.stage];
              multiply_tiles<Policy, Problem>(k_tiles, shared, warpgroup, at, sum, read,
                                              tile_scales_of<Policy::swaps, Policy::accumulators>(
                                                  p, tiles::own(w, place), warpgroup, w.k_begin, k_tiles));
            } else {
              multiply_tiles<Policy, Problem>(k_tiles, shared, warpgroup, at, sum, read);
            }
          },
          store);
    }
    if constexpr (Policy::stores_by_tma) {
      arch::bulk_wait_group_read<0>();  // for the stores to have read this block's memory, which ends with it
    }
  }
}

}  // namespace gemm::detail
