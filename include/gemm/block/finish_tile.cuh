// SPDX-License-Identifier: BSL-1.0
//! @file
//! The end of a warp-specialised block: what its consumers, and those of others, have summed becomes a tile of C.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_sum.cuh>
#include <gemm/block/group_sum.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_sums.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/stream_slices.cuh>

namespace gemm::detail {

/// Adds what others have of the tile, where there are any, and stores it.
template <class Policy, class Fragments, class Problem, class Storage, class T>
__device__ void finish_tile(Problem const& p, Storage& shared, T const (&sum)[Fragments::rows][Fragments::columns]) {
  constexpr int groups = Policy::groups, threads = Policy::consumer_threads;
  constexpr bool in_cluster = splits_in_cluster<Problem>;
  using layout = group_layout<Fragments, groups>;
  T* const exchange = reinterpret_cast<T*>(&shared);
  T* const tile_of_sums = exchange + Policy::template exchanged_bytes<T> / sizeof(T);
  int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads;
  // Rows of C that 16-byte stores cannot reach are stored by neighbouring lanes, out of shared memory: 4-byte stores of
  // what each thread has take 19 us a wave of 128 x 128 tiles (sm_90).
  constexpr bool has_room = Policy::template shares_tile<T>;
  bool const shares_tile = in_cluster || (has_room && !has_pieces<4>(p));
  if (groups > 1 || shares_tile) {
    arch::mbarrier_arrive(shared.all_read);
    arch::mbarrier_wait_parity(shared.all_read, 0);  // for all consumers to have read the last tiles
  }
  T total[layout::rows][layout::columns];
  if constexpr (groups > 1) {
    share_with_groups<Fragments, groups, Policy::group_threads>(sum, exchange);
    arch::mbarrier_arrive(shared.groups_shared);
    arch::mbarrier_wait_parity(shared.groups_shared, 0);  // for the other groups' sums
    add_groups<Fragments, groups, Policy::group_threads>(sum, exchange, total);
  } else {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int j = 0; j < layout::columns; ++j) {
        total[i][j] = sum[i][j];
      }
    }
  }
  if constexpr (streams_slices<Problem>) {
    // The answer lies behind the tile: who is early shares sums while others have yet to read it.
    constexpr std::size_t behind = Policy::template sum_room<T> / sizeof(T) - 1;
    static_assert(!has_room || behind * sizeof(T) >= shared_tile_bytes<Policy, T>);
    if (!complete_sums<Policy>(p, *reinterpret_cast<int*>(tile_of_sums + behind), total)) {
      return;
    }
  }
  block_tile const tile = tile_of_block<Policy>(p);
  if (!shares_tile) {
    store_tile<layout, 4, has_room>(p, total, tile);
    return;
  }
  share_sums<layout>(total, tile_of_sums);
  if constexpr (in_cluster) {
    store_cluster_sum<Policy, threads>(p, tile_of_sums, thread, tile);
  } else {
    arch::mbarrier_arrive(shared.tile_shared);
    arch::mbarrier_wait_parity(shared.tile_shared, 0);  // for the whole tile
    store_shared_tile<Policy, threads>(p, tile_of_sums, thread, tile);
  }
}

}  // namespace gemm::detail
