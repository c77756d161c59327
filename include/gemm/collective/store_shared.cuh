// SPDX-License-Identifier: BSL-1.0
//! @file
//! The end of a block's only work: its consumers put the tile of accumulators into the ring's memory. From there they
//! store it along the rows of C, or as a slice, or add it to those of the other blocks of a cluster.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/collective/store_by_row.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Puts a warpgroup's accumulators into the block's tile in shared memory.
template <class Policy, int Count, class Accum>
__device__ void share_slice(Accum const (&accum)[Count], Accum* shared, int warpgroup) {
  constexpr int pitch = shared_tile_pitch<Policy, Accum>;
  constexpr bool swaps = Policy::block_m < 64;
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32 % 4;
  int const first = warpgroup * 64 + warp * 16 + lane / 4, second = lane % 4 * 2;  // of wgmma's rows and columns
#pragma unroll
  for (int j = 0; j < Count / 4; ++j) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      Accum const* const pair = accum + 4 * j + 2 * half;
      int const row = first + 8 * half, column = second + 8 * j;
      if constexpr (swaps) {
        shared[column * pitch + row] = pair[0];
        shared[(column + 1) * pitch + row] = pair[1];
      } else {
        store_vector(shared + row * pitch + column, vector<Accum, 2>{pair[0], pair[1]});
      }
    }
  }
}

template <class Policy, class Problem>
struct store_shared : store_without_hooks<Policy, Problem> {
  template <class Accum, int Count>
  __device__ void operator()(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[1][Count]) {
    auto const& params = block.params;
    auto& shared = block.shared;
    auto const& p = block.problem(w);
    constexpr int threads = Policy::consumer_threads;
    int const thread = static_cast<int>(threadIdx.x);
    auto* const tile_of_accum = reinterpret_cast<Accum*>(&shared);
    if constexpr (threads > 128) {
      arch::mbarrier_arrive(shared.all_read);
      arch::mbarrier_wait_parity(shared.all_read, 0);  // for all consumers to have read the last tiles
    }
    share_slice<Policy>(accum[0], tile_of_accum, block.warpgroup);
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
        slice_rows<Accum> const rows(p, slices_of(params, w.batch), slice_number(params, w), tile);
        store_shared_slice<Policy, threads>(rows, tile_of_accum, thread);
        return;
      }
    }
    store_shared_pieces<Policy, threads>(p, tile_of_accum, thread, tile);
  }
};

}  // namespace gemm::detail
