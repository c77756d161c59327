// SPDX-License-Identifier: BSL-1.0
//! @file
//! Slices of k that the blocks of a cluster add through distributed shared memory, each block a share of the tile.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/emulation/unscale.cuh>

namespace gemm::detail {

/// A block's accumulators, for the others: four of a thread after those of all other threads.
template <class Policy>
struct shared_fragments {
  float four[Policy::accumulators / 4][Policy::consumer_threads][4];
};

/// Four accumulators of a thread, where wgmma leaves them in 8 columns, to C.
template <class Policy, bool AllFinite, class Problem>
__device__ void store_fragment(Problem const& p, float (&accum)[4], block_tile const& tile,
                               warp_exponents<Policy::block_n> const& exponents, int first_column,
                               split_sources const& sources) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  std::int64_t const row = tile.row + warpgroup_layout<Policy>::warp_row() + lane / 4,
                     column = tile.column + first_column + lane % 4 * 2;
  if (p.k > 0) {
    bool const finite = remove_any_scales(accum, exponents, first_column, lane);
    if constexpr (!AllFinite) {
      if (!__all_sync(0xffffffffU, finite)) {
        put_nonfinite<Policy>(p, accum, {tile.row, tile.column + first_column, tile.batch}, sources.a, sources.b);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    store_row<2>(p, accum + 2 * i, row + 8 * i, column, tile.batch);
  }
}

/// Adds the block's share of the tile, in the order of the slices, and stores it.
template <class Policy, bool AllFinite, class Problem>
__device__ void store_share(Problem const& p, shared_fragments<Policy> const& shared, int thread, int slices,
                            block_tile const& tile, warp_exponents<Policy::block_n> const& exponents,
                            split_sources const& sources) {
  constexpr int fours = Policy::accumulators / 4;
  int const rank = static_cast<int>(arch::cluster_rank());
#pragma unroll 2
  for (int i = rank * fours / slices; i < (rank + 1) * fours / slices; ++i) {
    arch::shared_address const mine = arch::shared_address_of(&shared.four[i][thread]);
    float accum[4] = {}, lost[4] = {};
#pragma unroll 2
    for (int slice = 0; slice < slices; ++slice) {
      float theirs[4];
      arch::load_cluster(theirs, arch::address_in_block(mine, static_cast<unsigned>(slice)));
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        lost[j] += theirs[j];
      }
      add_compensated<false>(lost, accum);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      accum[j] += lost[j];
    }
    store_fragment<Policy, AllFinite>(p, accum, tile, exponents, i * 8, sources);
  }
}

/// A consumer thread's accumulators of the block's slice become C. A block without a cluster does not wait for one:
/// that barrier would be the block's, which all threads must reach by one instruction.
template <class Policy, bool AllFinite, class Params>
__device__ void store_slices(Params const& params, typename Policy::shared_storage& shared,
                             float const (&accum)[Policy::accumulators], int slices, block_tile const& tile,
                             warp_exponents<Policy::block_n> const& exponents) {
  auto& fragments = reinterpret_cast<shared_fragments<Policy>&>(shared);
  static_assert(sizeof(shared_fragments<Policy>) <= sizeof(shared.a) + sizeof(shared.b));
  arch::named_barrier_sync(1, Policy::consumer_threads);  // for all consumers to have read the last stages
  int thread = static_cast<int>(threadIdx.x);
  arch::make_opaque(thread);  // else what follows from it is kept in registers through the main loop
#pragma unroll
  for (int i = 0; i < Policy::accumulators / 4; ++i) {
    store_vector(fragments.four[i][thread],
                 vector<float, 4>{accum[4 * i], accum[4 * i + 1], accum[4 * i + 2], accum[4 * i + 3]});
  }
  arch::cp_async_wait_group<0>();
  __syncwarp();  // for all lanes' copies of exponents
  if (slices > 1) {
    arch::cluster_arrive();
    arch::cluster_wait();  // for all slices
  }
  store_share<Policy, AllFinite>(problem_of(params), fragments, thread, slices, tile, exponents,
                                 sources_of(params, tile.batch));
  if (slices > 1) {
    arch::cluster_arrive_relaxed();
    arch::cluster_wait();  // for nobody to read this block's accumulators any more
  }
}

}  // namespace gemm::detail
