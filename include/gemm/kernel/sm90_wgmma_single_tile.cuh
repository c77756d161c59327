// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tensor cores for a C of few tiles: a block for each work, a tile or a slice of k of it.
//!
//!     producer      one thread of the last warp: has the ring's stages filled by TMA
//!     consumers     a warpgroup for each 64 rows of the tile, or where it has fewer than 64 rows for each 64 columns:
//!                   then wgmma multiplies B's tile by A's, and its accumulators are the transpose of C's tile
//!
//! At the end the consumers put the tile of accumulators into the ring's memory. From there they store it along the
//! rows of C, or add it to those of the other blocks of a cluster (block/cluster_accum.cuh).
//!
//! Few rows or columns of C are bound by the bandwidth of memory, which wants many loads in flight. So blocks share
//! multiprocessors, and all of their rings fill at once; about 10 MB in flight are best.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/target.cuh>
#include <gemm/block/block_scales.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/collective/load_tma.cuh>
#include <gemm/collective/mma.cuh>
#include <gemm/collective/reduce.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/single_tile.cuh>
#include <gemm/schedule/split_k.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// Loads the tiles of the block's work, and the scales beside them, where it has some: by its producer's warp. What is
/// not constant is loaded after the kernel before, and the next one may start.
template <class Policy, class Problem>
__device__ void load_one_work(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile) {
  ring_position<Policy::stages> position;
  if constexpr (stages_scales<Policy, Problem>) {
    int const lane = static_cast<int>(threadIdx.x) % 32;
    load_tma<Policy, Problem>::run(block, w, position, lane == 0,
                                   scale_loader<Policy, Problem>(block.problem(w), tile, w.k_begin, lane));
  } else {
    load_tma<Policy, Problem>::run(block, w, position, true, load_no_scales{});
  }
}

/// Adds what the other blocks of a cluster have of the tile, where the work says so, and stores it; or a slice.
template <class Policy, class Problem>
__device__ void finish_slice(scheduled<tma_problem<Problem>> const& params, typename Policy::shared_storage& shared,
                             int warpgroup, typename Problem::accum const (&accum)[Policy::accumulators], work const& w,
                             block_tile const& tile) {
  auto const& p = problem_of(product_of(params, w.batch));
  constexpr int threads = Policy::consumer_threads;
  int const thread = static_cast<int>(threadIdx.x);
  auto* const tile_of_accum = reinterpret_cast<typename Problem::accum*>(&shared);
  if constexpr (threads > 128) {
    arch::mbarrier_arrive(shared.all_read);
    arch::mbarrier_wait_parity(shared.all_read, 0);  // for all consumers to have read the last tiles
  }
  share_slice<Policy>(accum, tile_of_accum, warpgroup);
  if constexpr (supports_cluster_slices<Policy>) {
    if (w.mode == reduction::cluster) {
      store_cluster_accum<Policy, threads>(p, w.slices, tile_of_accum, thread, tile);
      return;
    }
  }
  arch::mbarrier_arrive(shared.tile_shared);
  arch::mbarrier_wait_parity(shared.tile_shared, 0);  // for the whole tile
  if constexpr (Policy::info.reductions.workspace) {
    if (w.mode == reduction::workspace) {
      slice_rows<typename Problem::accum> const rows(p, slices_of(params, w.batch), slice_number(params, w), tile);
      store_shared_slice<Policy, threads>(rows, tile_of_accum, thread);
      return;
    }
  }
  store_shared_pieces<Policy, threads>(p, tile_of_accum, thread, tile);
}

/// The order of a block's only work.
template <class Policy>
struct one_work {
  ring_position<Policy::stages> position;
  work const& w;

  template <class Block>
  __device__ work const& item(Block const&) const {
    return w;
  }
};

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::tile_threads, Policy::tile_resident)
    sm90_wgmma_single_tile_kernel(__grid_constant__ scheduled<tma_problem<Problem>> const params) {
  if constexpr (arch::has_sm90a_bodies) {
    auto& shared = arch::dynamic_shared_memory<typename Policy::shared_storage>();
    work w = whole_work(params.order);
    tile_number number{};
    block_position const position = position_of_one_work(params.order.mode);
    if (params.order.order == tile_order::split_k ? !split_k_schedule::next(params.order, position, 0, w, number)
                                                  : !single_tile_schedule::next(params.order, position, 0, w, number)) {
      return;  // the whole block
    }
    locate_tile(params.order, w, number);
    // The same for the whole warp, which the compiler must know to keep it, and what is derived from it, once a warp.
    int const warpgroup = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 128, 0);
    wgmma_block<Policy, Problem> const block{params, shared, {}, warpgroup};
    block_tile const tile = block.tile(w);
    bool const produces = threadIdx.x == Policy::consumer_threads;

    if (produces) {
      prefetch_maps(params);
      init_ring(shared.full, shared.empty, 1 + (stages_scales<Policy, Problem> ? scale_loaders<Policy> : 0),
                Policy::consumer_threads / 32);
      arch::mbarrier_init(shared.all_read, Policy::consumer_threads);
      arch::mbarrier_init(shared.tile_shared, Policy::consumer_threads);
      arch::fence_mbarrier_init();
    }
    __syncthreads();
    if (warpgroup == Policy::consumer_threads / 128) {
      if (produces || stages_scales<Policy, Problem>) {
        load_one_work(block, w, tile);
      }
      return;
    }
    arch::wait_for_dependency();  // for who reads or writes C and the workspace
    arch::launch_dependents();
    one_work<Policy> order{{}, w};
    accumulators_of<Policy, Problem> accum = {};
    mma_of<Policy, Problem> mma(block);
    mma.run(
        block, order, w.k_tiles, accum, [] {}, [] {});
    finish_slice<Policy>(params, shared, warpgroup, accum[0], w, tile);
  } else {
    __trap();
  }
}

}  // namespace gemm::detail
