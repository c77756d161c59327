// SPDX-License-Identifier: BSL-1.0
//! @file
//! The kernel of fp16x3 and bf16x6 (rung 12, sm_90a): products of floats on tensor cores that multiply 16-bit terms.
//!
//!     a = high + low, b = high + low     (scaled, see scale.cuh; split by the kernels of split_k_major.cuh)
//!     a b = high high + high low + low high, less low low, which is below the error of the split
//!
//! Tensor cores truncate where a float's addition rounds, which over a long k would lean all accumulators towards 0. So
//! they accumulate chunks of 64 k only, small products first; float additions add each chunk ("promotion").
//!
//!     producer      one thread of the last warpgroup. For each work of the block's schedule: publishes it, and for
//!                   each 32 k: waits until a stage is empty, has TMA load rows of 128 bytes, 32 high terms and 32 low
//!     consumers     a warpgroup for each 64 rows of the block's tile of C. For each chunk, two stages: wait for the
//!                   ping-pong turn and the stages, start both small products and the large one, pass the turn when the
//!                   small ones are done, wait for the large one, release the stages, add the chunk. After the last
//!                   chunk remove the scales and store, or add the slices of the cluster's blocks first.
//!
//!     full[s]   completes when stage s is loaded; empty[s] when all consumer warps have read it.
//!     turns     two named barriers, ping-pong: while one warpgroup adds a chunk, the other multiplies.
//!     works     the ring of works: schedule/work_ring.cuh.
//!
//! Blocks of a cluster share loads as those of sm90_wgmma.cuh do. With a fallback (with_fallback.cuh), the other warps
//! of the last warpgroup meanwhile read the facts of all rows, which decide whether anything is stored.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/target.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/emulation/block_storage.cuh>
#include <gemm/emulation/cluster_reduce.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/mainloop.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/unscale.cuh>
#include <gemm/schedule/next_work.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm {

/// A problem of floats, whose maps are of the terms of A and B. Its storage means nothing: one kernel serves all. Not
/// for users; it is not in detail for the kernels' symbols.
template <class Problem>
struct fp16x3_problem {
  tma_problem<Problem> loads;
  detail::schedule order;
  detail::split_source a, b;  // the first matrices
  detail::facts_of_lines facts_a, facts_b;
  int* refused;                   // set to whether the product was not computed, where a policy has a fallback
  void const *terms_a, *terms_b;  // for kernels without TMA
};

namespace detail {

/// Whether a policy computes nothing where the bound of float arithmetic might not hold.
template <class Policy>
inline constexpr bool checks_bound = Policy::info.with_fallback;

/// One thread loads the terms of a work, or its share of what the cluster's blocks have in common.
template <class Policy, class Problem>
__device__ void load_terms(tma_problem<Problem> const& params, typename Policy::shared_storage& shared,
                           cluster_position<Policy> const& rank, work const& w,
                           ring_position<Policy::stages>& position) {
  using tiles = term_tiles<Policy>;
  constexpr int of_chunk = Policy::terms::count * piece_elements;
  Problem const& p = params.problem;
  block_tile const tile = tile_of_work<Policy>(w);
  int const batch_a = p.a.batch_stride == 0 ? 0 : w.batch, batch_b = p.b.batch_stride == 0 ? 0 : w.batch;
  int const row = static_cast<int>(tile.row), column = static_cast<int>(tile.column);
  int const end = (w.k_begin + w.k_tiles) * of_chunk;
  for (int term = w.k_begin * of_chunk; term < end; term += piece_elements, position.advance()) {
    arch::mbarrier& full = shared.full[position.stage];
    // For the consumers to have read the last terms, those of the blocks that share this one's loads included.
    arch::mbarrier_wait_parity(shared.empty[position.stage], position.phase ^ 1);
    arch::mbarrier_arrive_expect_tx(full, tiles::a::bytes + tiles::b::bytes);
    tiles::a::template load_part<Policy::cluster_n>(shared.tiles.a[position.stage], params.a, full, row, term, batch_a,
                                                    rank.n, rank.sharing_a());
    tiles::b::template load_part<Policy::cluster_m>(shared.tiles.b[position.stage], params.b, full, column, term,
                                                    batch_b, rank.m, rank.sharing_b());
  }
}

/// Whether a product is not refused, or not yet known to be multiplied. Asked again rather than kept, which spills.
template <class Policy, class Problem>
__device__ bool goes_on(Problem const& p, typename Policy::shared_storage& shared) {
  return !checks_bound<Policy> || p.k == 0 || !is_refused(shared.facts);
}

/// Publishes and loads the works of the block, the first alone where the product is refused.
template <class Policy, class Problem>
__device__ void produce_terms(fp16x3_problem<Problem> const& params, typename Policy::shared_storage& shared,
                              cluster_position<Policy> const& rank) {
  ring_position<work_slots> slot;
  ring_position<Policy::stages> position;
  work w;
  for (int step = 0; next_work(params.order, position_in_grid(), step, w); ++step) {
    w.tile_m = w.tile_m * Policy::cluster_m + rank.m;  // the block's own
    w.tile_n = w.tile_n * Policy::cluster_n + rank.n;
    shared.works.publish(slot, w, position);
    load_terms<Policy>(params.loads, shared, rank, w, position);
    if (!cuts_k<Policy> && !goes_on<Policy>(params.loads.problem, shared)) {
      break;
    }
  }
  if constexpr (cluster_position<Policy>::sources > 1) {
    wait_until_read(shared.empty, position);
  }
}

/// A warpgroup multiplies and stores its part of the block's works, or of none where the product is refused. The loop
/// has the block's number to go by, which keeps it in uniform registers.
template <class Policy, class Problem>
__device__ void consume_terms(fp16x3_problem<Problem> const& params, typename Policy::shared_storage& shared,
                              cluster_position<Policy> const& rank) {
  // The same for the whole warp, which the compiler must know to keep it, and what is derived from it, once a warp.
  int const warpgroup = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 128, 0);
  int const source = rank.source(static_cast<int>(threadIdx.x) % 32);  // the block that this lane releases stages to
  if (Policy::alternates && warpgroup == 1) {
    arch::named_barrier_arrive(turn_of(0), Policy::consumer_threads);  // whose first phase begins at once
  }
  Problem const& p = params.loads.problem;
  ring_position<Policy::stages> position;
  ring_position<work_slots> slot;
  unsigned const works = tiles_of(params.order, params.order.tiles_n);
#pragma unroll 1
  for (unsigned index = blockIdx.x; index < works; index += gridDim.x) {
    int const of_work = shared.works.wait(slot), chunks = cuts_k<Policy> ? of_work : params.order.k_tiles;
    if (chunks > 0) {
      work const& w = shared.works.item[slot.stage];
      start_exponents<Policy>(p, buffer_of_warp(shared).exponents, tile_of_work<Policy>(w),
                              sources_of(p, params.a, params.b, w.batch));
    }
    float chunk[Policy::accumulators] = {}, accum[Policy::accumulators] = {};
    multiply_chunks<Policy>(shared, warpgroup, source, p.swapped_ab, chunks, position, chunk, accum);
    auto& buffer = buffer_of_warp(shared);
    work const w = shared.works.take(slot);
    block_tile tile = tile_of_work<Policy>(w);
    if (!goes_on<Policy>(p, shared)) {
      return;
    }
    split_sources const sources = sources_of(p, params.a, params.b, w.batch);
    if constexpr (cuts_k<Policy>) {
      reduce_in_cluster<Policy, checks_bound<Policy>>(p, shared, accum, chunk, w, tile, buffer.exponents, sources);
    } else {
      if (chunks > 0) {
        remove_scales<Policy, checks_bound<Policy>>(p, accum, tile, buffer.exponents, sources);
      }
      if (!p.vector_c && p.beta == 0) {
        store_accum_by_rows<Policy>(p, accum, tile, buffer.lines);
      } else {
        store_accum<Policy>(p, accum, tile);
      }
    }
  }
}

/// The grid: clusters x 1 x their blocks; where k is cut, a cluster for each tile, and a slice for each of its blocks.
template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, 1)
    fp16x3_kernel(__grid_constant__ fp16x3_problem<Problem> const params) {
  if constexpr (arch::has_sm90a_bodies) {
    auto& shared = arch::computed_shared_memory<typename Policy::shared_storage>();
    auto const rank = cluster_position<Policy>::of_block();
    int const producer = static_cast<int>(threadIdx.x) - Policy::consumer_threads;  // which of its threads, from 0
    if (producer == 0) {
      prefetch_maps(params.loads);
      constexpr int readers = Policy::consumer_threads / 32 * cluster_position<Policy>::sources;
      init_ring(shared.full, shared.empty, 1, readers);
      shared.works.init(Policy::consumer_threads / 32);
      if constexpr (checks_bound<Policy>) {
        init_facts(shared.facts);
      }
      arch::fence_mbarrier_init();
    }
    if constexpr (cluster_position<Policy>::sources == 1) {
      __syncthreads();
    } else {
      arch::cluster_arrive();
      arch::cluster_wait();  // for the barriers of all blocks
    }
    arch::wait_for_dependency();  // for the terms
    arch::launch_dependents();

    bool const reduces = cuts_k<Policy> && params.order.slices > 1;  // the other slices of its tile
    if (producer >= 0) {
      arch::setmaxnreg_dec<Policy::producer_registers>();
      if (producer == 0) {
        produce_terms<Policy>(params, shared, rank);
      }
      if constexpr (checks_bound<Policy>) {
        if (producer >= 32 && params.loads.problem.k > 0) {
          read_facts(params.facts_a, params.facts_b, params.loads.problem.k, producer - 32, shared.facts,
                     blockIdx.x + blockIdx.z == 0 ? params.refused : nullptr);
        }
      }
      if (reduces) {
        arch::cluster_arrive();
        arch::cluster_wait();  // as the consumers do, or with their end
      }
    } else {
      arch::setmaxnreg_inc<Policy::consumer_registers>();
      consume_terms<Policy>(params, shared, rank);
    }
    if (reduces) {
      arch::cluster_arrive_relaxed();
      arch::cluster_wait();  // for nobody to read this block's accumulators any more
    }
  } else {
    __trap();
  }
}

}  // namespace detail

}  // namespace gemm
