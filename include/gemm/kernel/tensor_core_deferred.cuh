// SPDX-License-Identifier: BSL-1.0
//! @file
//! Consumers of rung 11 that multiply on while their last tile of C is stored.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/wgmma.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/deferred_store.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/warpgroup_sums.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/tensor_core_tile.cuh>

namespace gemm::detail {

/// A warpgroup multiplies its 64 rows of all of the block's tiles of C. The sums of each are rounded and wait in
/// registers, from which TMA stores them box by box while the tensor cores are busy with the next tile's first tiles of
/// k. What is left between two tiles are the rounding and the start, which the other warpgroup's last multiplications
/// cover in part (H200, bf16 in 128 x 256, clocks beyond the multiplications': 2800 for each tile if it is stored
/// first, 950 so). read(stage) as for start_tiles(); store(tile) stores the sums of a tile after which nothing comes
/// that could hide it, and of all if TMA cannot.
template <class Policy, class Problem, class Read, class Store>
__device__ void consume_deferring(tma_store_problem<Problem> const& x, typename Policy::shared_storage& shared,
                                  int warpgroup, cluster_place<Policy> const& place, ring_place<Policy::stages>& at,
                                  int& next, typename Problem::accum (&sum)[1][Policy::accumulators], Read read,
                                  Store store) {
  using tiles = tensor_core_tiles<Policy, Problem>;
  Problem const& p = x.loads.problem;
  int const tiles_of_k = static_cast<int>((p.k + Policy::block_k - 1) / Policy::block_k);
  auto& staged = shared.c[(static_cast<int>(threadIdx.x) - Policy::producer_threads) / 32];
  deferred_boxes<warpgroup_layout<Policy>, Problem, Policy::accumulators> waiting;
  auto const store_next = [&] { waiting.store_next(x, staged, next); };
  // Fewer than 2^32, of which those of a product with several are beyond any memory: in 32 bits, as ptxas spills around
  // the call that divides 64.
  auto const all = static_cast<unsigned>(tiles_of_batch(p)), of_product = static_cast<unsigned>(p.tiles_m * p.tiles_n);
#pragma unroll 1
  for (unsigned index = blockIdx.x; index < all;) {
    int const last = start_tiles<Policy, Problem>(tiles_of_k, shared, warpgroup, at, sum, read, store_next);
#pragma unroll 1
    while (waiting.left > 0) {  // where k is short
      store_next();
    }
    unsigned const batch = p.batch_count == 1 ? 0 : index / of_product;
    block_tile const tile =
        tiles::own(tile_in_bands<typename tiles::of_cluster>(p, index - batch * of_product, batch), place);
    arch::wgmma_wait_group<0>();  // for the last
    if (tiles_of_k > 0) {
      read(last);
    }
    index += gridDim.x;
    if (x.stores && index < all) {
      waiting.take(p, sum[0], tile);
      continue;
    }
    store(tile);
    waiting.forget();
  }
}

}  // namespace gemm::detail
