// SPDX-License-Identifier: BSL-1.0
//! @file
//! fp16x3 for small C, of which cuBLAS cuts k, too: a tile of C for each cluster, a slice of k for each of its blocks,
//! and sums by the tensor cores of no more than 16 k (see multiply_finely()).
//!
//!     producer      as in fp16x3.cuh, for the chunks of the block's slice
//!     consumers     a warpgroup for each 64 rows. After the last chunk, its sums go where the tiles were
//!     cluster       each block adds a share of the tile, slice after slice, takes the scales back and stores it
//!
//! Lost (H200): turns between the warpgroups, 512x512x65536 in 467 us, 457 without; to add each 16 k to the slice's
//! sums with what that loses, in two sets of registers, 1024x2048x1024 in 46 us, in a chunk first 40; and 16 k at a
//! time in the blocks that stay, in pairs, 4096x1024x65536 in 4.34 ms, here 4.02.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warpgroup_sums.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/mainloop.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/tiles.cuh>
#include <gemm/emulation/unscale.cuh>

namespace gemm {

namespace detail {

/// Where a block's sums are for the others: four of a thread after those of all other threads.
template <class Policy>
struct shared_fragments {
  float four[Policy::accumulators / 4][Policy::consumer_threads][4];
};

/// Four sums of a thread, where wgmma leaves them in 8 columns, to C.
template <class Policy, class Problem>
__device__ void store_fragment(fp16x3_problem<Problem> const& x, float (&sum)[4], block_tile const& tile,
                               warp_exponents<Policy::block_n> const& exponents, int first_column) {
  Problem const& p = x.loads.problem;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  std::int64_t const row = tile.row + warpgroup_layout<Policy>::warp_row() + lane / 4,
                     column = tile.column + first_column + lane % 4 * 2;
  if (p.k > 0) {
    bool finite = true;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int const of_row = exponents.row[lane / 4 + i / 2 * 8],
                of_column = exponents.column[first_column + lane % 4 * 2 + i % 2];
      finite = finite && is_scale(of_row) && is_scale(of_column);
      scale const by_row = scale::of(is_scale(of_row) ? -of_row : 0),
                  by_column = scale::of(is_scale(of_column) ? -of_column : 0);
      sum[i] = sum[i] * (by_row.first * by_column.first) * (by_row.second * by_column.second);
    }
    if constexpr (!checks_bound<Policy>) {
      if (!__all_sync(0xffffffffU, finite)) {
        split_sources const of = sources_of(p, x.a, x.b, tile.batch);
        put_nonfinite_sums<Policy>(p, sum, {tile.row, tile.column + first_column, tile.batch}, of.a, of.b);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    store_row<2>(p, sum + 2 * i, row + 8 * i, column, tile.batch);
  }
}

/// Adds the block's share of the tile, in the order of the slices, and stores it.
template <class Policy, class Problem>
__device__ void store_slices(fp16x3_problem<Problem> const& x, shared_fragments<Policy> const& shared,
                             block_tile const& tile, warp_exponents<Policy::block_n> const& exponents) {
  constexpr int fours = Policy::accumulators / 4;
  int const rank = static_cast<int>(arch::cluster_rank()), slices = x.slices;
  int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads;
#pragma unroll 2
  for (int i = rank * fours / slices; i < (rank + 1) * fours / slices; ++i) {
    arch::shared_address const mine = arch::shared_address_of(&shared.four[i][thread]);
    float sum[4] = {}, lost[4] = {};
#pragma unroll 2
    for (int slice = 0; slice < slices; ++slice) {
      float theirs[4];
      arch::load_cluster(theirs, arch::address_in_block(mine, static_cast<unsigned>(slice)));
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        lost[j] += theirs[j];
      }
      add_compensated<false>(lost, sum);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum[j] += lost[j];
    }
    store_fragment<Policy>(x, sum, tile, exponents, i * 8);
  }
}

/// A warpgroup's part of the block's slice, and then of the tile.
template <class Policy, class Problem>
__device__ void consume_slice(fp16x3_problem<Problem> const& x, typename Policy::shared_storage& shared, int warpgroup,
                              block_tile const& tile, int chunks) {
  Problem const& p = x.loads.problem;
  auto& exponents = shared.of_warp[(threadIdx.x - Policy::producer_threads) / 32].whole.exponents;
  if (p.k > 0) {
    start_exponents<Policy>(p, exponents, tile, sources_of(p, x.a, x.b, tile.batch));
  }
  float chunk[Policy::accumulators] = {}, sum[Policy::accumulators] = {};
  ring_place<Policy::stages> at;
  multiply_chunks<Policy>(shared, warpgroup, 0, p.turned, chunks, at, chunk, sum);
#pragma unroll
  for (int i = 0; i < Policy::accumulators; ++i) {
    sum[i] += chunk[i];  // what the last addition has lost
  }
  if constexpr (checks_bound<Policy>) {
    if (p.k > 0 && is_refused(shared.facts)) {
      return;  // all blocks
    }
  }
  auto& fragments = reinterpret_cast<shared_fragments<Policy>&>(shared.tiles);
  static_assert(sizeof(shared_fragments<Policy>) <= sizeof(shared.tiles));
  arch::named_barrier_sync(turn_of(0), Policy::consumer_threads);  // nobody reads the tiles any more
  int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads;
#pragma unroll
  for (int i = 0; i < Policy::accumulators / 4; ++i) {
    store_vector(fragments.four[i][thread],
                 vector<float, 4>{sum[4 * i], sum[4 * i + 1], sum[4 * i + 2], sum[4 * i + 3]});
  }
  arch::cp_async_wait_group<0>();
  __syncwarp();  // all lanes' copies of exponents are there
  if (x.slices > 1) {
    arch::cluster_arrive();
    arch::cluster_wait();  // for all slices
  }
  store_slices<Policy>(x, fragments, tile, exponents);
}

/// The grid is tiles x 1 x slices, a cluster along the slices. Where one block is the cluster, each thread reads its
/// own sums alone, and barriers of the cluster would be the block's, which synccheck wants all threads to reach by the
/// same instruction.
template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, 1)
    fp16x3_sliced_kernel(__grid_constant__ fp16x3_problem<Problem> const x) {
  auto& shared = arch::computed_shared_memory<typename Policy::shared_storage>();
  Problem const& p = x.loads.problem;
  int const warpgroup = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 128, 0);
  if (threadIdx.x == 0) {
    prefetch_maps(x.loads);
    init_ring(shared.of_whole.full, shared.of_whole.empty, 1, Policy::consumer_threads / 32);
    if constexpr (checks_bound<Policy>) {
      init_facts(shared.facts);
    }
    arch::fence_mbarrier_init();
  }
  __syncthreads();
  arch::wait_for_dependency();  // for the parts
  arch::launch_dependents();

  block_tile const tile = whole_tile<Policy>(p, blockIdx.x);
  std::int64_t const chunks = padded_depth(p.k) / chunk_depth, slice = blockIdx.z;
  auto const first = static_cast<int>(chunks * slice / x.slices),
             last = static_cast<int>(chunks * (slice + 1) / x.slices);
  if (warpgroup == 0) {
    arch::setmaxnreg_dec<Policy::producer_registers>();
    if (threadIdx.x == 0) {
      ring_place<Policy::stages> at;
      bring_chunks<Policy>(x.loads, x.loads.b, shared, cluster_place<Policy>{}, tile, first, last, at);
    }
    if constexpr (checks_bound<Policy>) {
      if (threadIdx.x >= 32 && p.k > 0) {
        read_facts(x.facts_a, x.facts_b, p.k, static_cast<int>(threadIdx.x) - 32, shared.facts,
                   blockIdx.x + blockIdx.z == 0 ? x.refused : nullptr);
      }
    }
    if (x.slices > 1) {
      arch::cluster_arrive();
      arch::cluster_wait();  // as the consumers do, or with their end
    }
  } else {
    arch::setmaxnreg_inc<Policy::consumer_registers>();
    consume_slice<Policy>(x, shared, warpgroup - 1, tile, last - first);
    if constexpr (checks_bound<Policy>) {
      if (p.k > 0 && is_refused(shared.facts)) {
        return;
      }
    }
  }
  if (x.slices > 1) {
    arch::cluster_arrive_relaxed();
    arch::cluster_wait();  // for nobody to read this block's sums any more
  }
}

}  // namespace detail

/// fp16x3 whose k is cut into slices: as many blocks as a cluster may have, and the device holds, share a tile of C,
/// and tensor cores sum no more than 16 k by themselves. For small C, which that spreads over the device, and for the
/// smallest errors: at most
///
///     (27 + k / 2^24) u |A| |B|
///
/// and F's term as of fp16x3, of which 8 u are of the parts. How k is cut depends on the size of C, and so do the last
/// bits of a row.
///
/// Block: the tile of C, 64 or 128 rows with 64 or 128 columns, and 64; Stages: as of fp16x3; Slices: 1 to 8, if k has
/// as many chunks of 64, or 0 for as many as fill the device. All else is as there.
template <class Block, class Stages, int Slices = 0>
struct fp16x3_sliced : detail::parts_policy<half_parts<0>, Block, Stages, cluster<1>> {
  static constexpr bool compensated = true, takes_turns = false;
  static constexpr kernel_info info = [] {
    kernel_info changed = detail::parts_policy<half_parts<0>, Block, Stages, cluster<1>>::info;
    changed.schedule = tile_schedule::one_tile;
    changed.sliced = true;
    return changed;
  }();
  static constexpr int fixed_slices = Slices, most_slices = 8;  // that every device lets a cluster have

  template <class T>
  static constexpr bool check() {
    constexpr bool sides = Block::n <= 128;
    static_assert(sides,
                  "gemm: fp16x3_sliced needs a block_n of 64 or 128 (sums three times in a thread's registers). Change "
                  "block.");
    constexpr bool cut = Slices >= 0 && Slices <= most_slices;
    static_assert(!sides || cut, "gemm: fp16x3_sliced cuts k into 1 to 8 slices, or 0 as many as fill the device.");
    if constexpr (sides && cut) {
      return detail::parts_policy<half_parts<0>, Block, Stages, cluster<1>>::template check<T>();
    }
    return false;
  }

  template <class Policy, class Problem, bool>
  static auto kernel() {
    return &detail::fp16x3_sliced_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
