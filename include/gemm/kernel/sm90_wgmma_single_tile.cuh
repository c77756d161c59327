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
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/collective/mma.cuh>
#include <gemm/collective/reduce.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/single_tile.cuh>
#include <gemm/schedule/split_k.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// What a policy's blocks have in shared memory, and where their parts of C are.
template <class Policy, class Problem>
struct sm90_wgmma_tiles {
  using a = swizzled_tile<typename Problem::element_a, Problem::storage::a, Policy::block_m, Policy::block_k>;
  using b = swizzled_tile<typename Problem::element_b, Problem::storage::b, Policy::block_n, Policy::block_k>;

  /// The block's own tile of a work, which may lie outside C.
  __device__ static block_tile own(work const& w, cluster_place<Policy> const& place) {
    return {std::int64_t{w.tile_m * Policy::cluster_m + place.m} * Policy::block_m,
            std::int64_t{w.tile_n * Policy::cluster_n + place.n} * Policy::block_n, w.batch};
  }
};

/// Where a block's tiles lie in the tensors, and how many it has.
struct tile_origin {
  int row, column, k, k_tiles, batch, batch_a, batch_b;
};

/// Loads no scales beside a stage's tiles.
struct no_scale_loader {
  template <class Storage>
  __device__ static void load(Storage&, int) {}
};

/// One thread loads all tiles of the slice, so many at once. Where scales lie beside the stages, its warp loads them.
template <int Together, class Policy, class Problem>
__device__ void load_stages(tma_problem<Problem> const& x, typename Policy::shared_storage& shared,
                            tile_origin const& origin) {
  using a = typename product_tiles<Policy, Problem>::a;
  using b = typename product_tiles<Policy, Problem>::b;
  static_assert(Policy::stages % Together == 0);
  // A ring of few stages asks for the second half of the 256 bytes that the L2 reads at once only after their eviction.
  constexpr bool soon = Policy::stages >= 4;
  bool const once_a = soon && x.problem.tiles_n == 1, once_b = soon && x.problem.tiles_m == 1;
  // Of few rows or columns all are loaded: the zeros are few, and another tensor map takes as long.
  constexpr int most_a = a::template most<1>, most_b = b::template most<1>;
  loaded const from_a = Policy::is_persistent ? loaded_a(x, origin.row + Policy::block_m, most_a) : loaded{x.a, most_a},
               from_b =
                   Policy::is_persistent ? loaded_b(x, origin.column + Policy::block_n, most_b) : loaded{x.b, most_b};
  int const bytes = a::template bytes_of<1>(from_a.count) + b::template bytes_of<1>(from_b.count);
  ring_place<Policy::stages> at;
  int k = origin.k;
  constexpr bool by_warp = stages_scales<Policy, Problem>;
  bool const leads = !by_warp || threadIdx.x % 32 == 0;
  auto scales = [&] {
    if constexpr (by_warp) {
      block_tile const tile{origin.row, origin.column, origin.batch};
      return scale_loader<Policy, Problem>(x.problem, tile, origin.k / Policy::block_k,
                                           static_cast<int>(threadIdx.x) % 32);
    } else {
      return no_scale_loader{};
    }
  }();
  for (int tile = 0; tile < origin.k_tiles; ++tile, k += Policy::block_k, at.advance()) {
    arch::mbarrier& full = shared.full[at.stage];
    if (at.stage % Together == 0) {  // for the consumers to have read the last tiles, stages one after the other
      arch::mbarrier_wait_parity(shared.empty[at.stage + Together - 1], at.phase ^ 1);
    }
    if (leads) {
      arch::mbarrier_arrive_expect_tx(full, static_cast<std::uint32_t>(bytes));
      b::template load_part<1>(shared.b[at.stage], from_b.map, full, origin.column, k, origin.batch_b, 0, 1, once_b,
                               from_b.count);
      a::template load_part<1>(shared.a[at.stage], from_a.map, full, origin.row, k, origin.batch_a, 0, 1, once_a,
                               from_a.count);
    }
    scales.load(shared, at.stage);
  }
}

/// Half of the ring at once where rows are so many that the L2 does not prefetch.
template <class Policy, class Problem>
__device__ void load_slice(tma_problem<Problem> const& x, typename Policy::shared_storage& shared,
                           tile_origin const& origin) {
  using tiles = product_tiles<Policy, Problem>;
  constexpr bool slim = tiles::swaps || Policy::block_n < 64;
  if constexpr (slim && tiles::first::by_k && Policy::stages % 2 == 0) {
    if (are_many_lines(tiles::swaps ? x.problem.n : x.problem.m)) {
      load_stages<Policy::stages / 2, Policy>(x, shared, origin);
      return;
    }
  }
  load_stages<1, Policy>(x, shared, origin);
}

/// Adds what the other blocks of a cluster have of the tile, where the work says so, and stores it; or a slice.
template <class Policy, class Problem>
__device__ void finish_slice(scheduled<tma_problem<Problem>> const& x, typename Policy::shared_storage& shared,
                             int warpgroup, typename Problem::accum const (&sum)[Policy::accumulators], work const& w,
                             block_tile const& tile) {
  Problem const& p = x.io.problem;
  constexpr int threads = Policy::consumer_threads;
  int const thread = static_cast<int>(threadIdx.x);
  auto* const tile_of_accum = reinterpret_cast<typename Problem::accum*>(&shared);
  if constexpr (threads > 128) {
    arch::mbarrier_arrive(shared.all_read);
    arch::mbarrier_wait_parity(shared.all_read, 0);  // for all consumers to have read the last tiles
  }
  share_slice<Policy>(sum, tile_of_accum, warpgroup);
  if constexpr (takes_cluster_slices<Policy>) {
    if (w.how == reduction::cluster) {
      store_cluster_accum<Policy, threads>(p, w.slices, tile_of_accum, thread, tile);
      return;
    }
  }
  arch::mbarrier_arrive(shared.tile_shared);
  arch::mbarrier_wait_parity(shared.tile_shared, 0);  // for the whole tile
  if constexpr (Policy::info.reductions.workspace) {
    if (w.how == reduction::workspace) {
      slice_rows<typename Problem::accum> const rows(p, x.workspace, product_of_slice(x.order, w), tile);
      store_shared_slice<Policy, threads>(rows, tile_of_accum, thread);
      return;
    }
  }
  store_shared_pieces<Policy, threads>(p, tile_of_accum, thread, tile);
}

/// The order of a block's only work.
template <class Policy>
struct one_work {
  ring_place<Policy::stages> position;
  work const& w;

  template <class Block>
  __device__ work const& item(Block const&) const {
    return w;
  }
};

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::tile_threads, Policy::tile_resident)
    sm90_wgmma_single_tile_kernel(__grid_constant__ scheduled<tma_problem<Problem>> const x) {
  if constexpr (arch::has_sm90a_bodies) {
    Problem const& p = x.io.problem;
    auto& shared = arch::dynamic_shared_memory<typename Policy::shared_storage>();
    work w = whole_work(x.order);
    tile_number number{};
    block_place const place = place_of_one_work(x.order.how);
    if (x.order.order == tile_order::split_k ? !split_k_schedule::next(x.order, place, 0, w, number)
                                             : !single_tile_schedule::next(x.order, place, 0, w, number)) {
      return;  // the whole block
    }
    place_tile(x.order, w, number);
    block_tile const tile{std::int64_t{w.tile_m} * Policy::block_m, std::int64_t{w.tile_n} * Policy::block_n, w.batch};
    tile_origin const origin{static_cast<int>(tile.row),
                             static_cast<int>(tile.column),
                             w.k_begin * Policy::block_k,
                             w.k_tiles,
                             w.batch,
                             p.a.batch_stride == 0 ? 0 : w.batch,
                             p.b.batch_stride == 0 ? 0 : w.batch};
    // The same for the whole warp, which the compiler must know to keep it, and what is derived from it, once a warp.
    int const warpgroup = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 128, 0);
    bool const produces = threadIdx.x == Policy::consumer_threads;

    if (produces) {
      prefetch_maps(x.io);
      init_ring(shared.full, shared.empty, 1 + (stages_scales<Policy, Problem> ? scale_loaders<Policy> : 0),
                Policy::consumer_threads / 32);
      arch::mbarrier_init(shared.all_read, Policy::consumer_threads);
      arch::mbarrier_init(shared.tile_shared, Policy::consumer_threads);
      arch::fence_mbarrier_init();
    }
    __syncthreads();
    arch::wait_for_dependency();  // for who writes the operands
    arch::launch_dependents();

    if (warpgroup == Policy::consumer_threads / 128) {
      if (produces || stages_scales<Policy, Problem>) {
        load_slice<Policy>(x.io, shared, origin);
      }
      return;
    }
    one_work<Policy> order{{}, w};
    wgmma_block<Policy, Problem> const own{x, shared, {}, warpgroup};
    accumulators_of<Policy, Problem> accum = {};
    mma_of<Policy, Problem> mma(own);
    mma.run(
        own, order, w.k_tiles, accum, [] {}, [] {});
    finish_slice<Policy>(x, shared, warpgroup, accum[0], w, tile);
  } else {
    __trap();
  }
}

}  // namespace gemm::detail
