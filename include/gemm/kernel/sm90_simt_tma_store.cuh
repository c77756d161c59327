// SPDX-License-Identifier: BSL-1.0
//! @file
//! The end of a work of rung 9: its consumers' accumulators become a tile of C, or a slice in the workspace.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/sliced_k_reduce.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/schedule/last_arriver.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Whether the blocks of a cluster can add their accumulators: the ring must hold a tile of them.
template <class Policy, class T>
inline constexpr bool adds_simt_clusters =
    Policy::info.reductions.cluster&& shared_tile_bytes<Policy, T> <= Policy::template accum_memory<T>;

/// The work's tile of C. A batch may have 2^31 products and more.
template <class Policy, class Params>
__device__ block_tile tile_of(Params const& params, work const& w) {
  return {std::int64_t{w.tile_m} * Policy::block_m, std::int64_t{w.tile_n} * Policy::block_n,
          static_cast<unsigned>(batch_of(params, w.batch))};
}

/// Reduces the accumulators of the block's only work, as it says, and stores them. The ring's memory is free by then.
template <class Policy, class Fragments, class Problem, class Storage, class T>
__device__ void store_work(scheduled<tma_problem<Problem>> const& params, Storage& shared, work const& w,
                           T const (&accum)[Fragments::rows][Fragments::columns]) {
  constexpr int groups = Policy::groups, threads = Policy::consumer_threads;
  using layout = group_layout<Fragments, groups>;
  auto const& p = problem_of(product_of(params, w.batch));
  T* const exchange = reinterpret_cast<T*>(&shared);
  T* const tile_of_accum = exchange + Policy::template exchanged_bytes<T> / sizeof(T);
  int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads;
  // Rows of C that 16-byte stores cannot reach are stored by neighbouring lanes, out of shared memory.
  constexpr bool has_memory = Policy::template shares_tile<T>;
  bool const in_cluster = adds_simt_clusters<Policy, T> && w.mode == reduction::cluster;
  bool const shares_tile = in_cluster || (has_memory && w.mode != reduction::workspace && !has_pieces<4>(p));
  if (groups > 1 || shares_tile) {
    arch::mbarrier_arrive(shared.all_read);
    arch::mbarrier_wait_parity(shared.all_read, 0);  // for all consumers to have read the last tiles
  }
  T total[layout::rows][layout::columns];
  if constexpr (groups > 1) {
    share_with_groups<Fragments, groups, Policy::group_threads>(accum, exchange);
    arch::mbarrier_arrive(shared.groups_shared);
    arch::mbarrier_wait_parity(shared.groups_shared, 0);  // for the other groups' accumulators
    add_groups<Fragments, groups, Policy::group_threads>(accum, exchange, total);
  } else {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int j = 0; j < layout::columns; ++j) {
        total[i][j] = accum[i][j];
      }
    }
  }
  block_tile const tile = tile_of<Policy>(params, w);
  if (w.mode == reduction::workspace) {
    slice_rows<T> const rows(p, slices_of(params, w.batch), slice_number(params, w), tile, layout::row(0),
                             layout::column(0));
    store_slice_in_rows<layout>(rows, total);
    return;
  }
  if (w.mode == reduction::last_arriver) {
    // The answer lies behind the tile: who is early shares accumulators while others have yet to read it.
    constexpr std::size_t behind = Policy::template accum_memory<T> / sizeof(T) - 1;
    static_assert(!has_memory || behind * sizeof(T) >= shared_tile_bytes<Policy, T>);
    if (!add_as_last_arriver<Policy>(static_cast<T*>(params.workspace), params.arrivals, w,
                                     *reinterpret_cast<int*>(tile_of_accum + behind), total)) {
      return;
    }
  }
  if (!shares_tile) {
    store_tile<layout, 4, has_memory>(p, total, tile);
    return;
  }
  share_accum<layout>(total, tile_of_accum);
  if constexpr (adds_simt_clusters<Policy, T>) {
    if (in_cluster) {
      store_cluster_accum<Policy, threads>(p, w.slices, tile_of_accum, thread, tile);
      return;
    }
  }
  arch::mbarrier_arrive(shared.tile_shared);
  arch::mbarrier_wait_parity(shared.tile_shared, 0);  // for the whole tile
  store_shared_tile<Policy, threads>(p, tile_of_accum, thread, tile);
}

}  // namespace gemm::detail
