// SPDX-License-Identifier: BSL-1.0
//! @file
//! The kernel of wgmma: warpgroups that multiply, and a producer that loads. Its parts are types.
//!
//!     producer      one thread of the last warpgroup. For each work of the block's schedule: publishes it, and for
//!                   each of its tiles of k: waits until a stage is empty, has TMA fill it.
//!     consumers     a warpgroup for each 64 rows of the block's tile of C. For each work, and for each of its tiles of
//!                   k: wait until its stage is full, start its multiplication, wait for the one before and say that
//!                   its stage is empty. After the last, store the tile of C, or keep it until the next one's
//!                   multiplications run (store_overlapped).
//!
//!     full[s]   completes when stage s has its tiles; empty[s] when all consumer warps have read them.
//!     works     the ring of works: schedule/work_ring.cuh.
//!
//! Its parts (collective/) are load_tma, reduce(), and those of wgmma_parts.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/target.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/sharded_problem.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/collective/load_tma.cuh>
#include <gemm/collective/mma.cuh>
#include <gemm/collective/parts.cuh>
#include <gemm/collective/reduce.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/cluster_works.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// One thread publishes all works of its block and loads their tiles. The end is published to so many consumers,
/// which take works in turn.
template <class Policy, class Problem>
__device__ void produce(wgmma_block<Policy, Problem> const& block, int readers) {
  auto& shared = block.shared;
  ring_position<Policy::stages> position;
  ring_position<work_slots> slot;
  work w;
  cluster_works<Policy, sm90_wgmma_parameter<Policy, Problem>> works(block.params);
  for (int step = 0; works.next(step, w); ++step) {
    shared.works.publish(slot, w, position);
    // For who writes the operands, once the first work is published, which hides latency; then it is over.
    arch::wait_for_dependency();
    load_tma<Policy, Problem>::run(block, w, position, true, load_no_scales{});
    if (!wgmma_parts<Policy, Problem>::help::goes_on(block)) {
      break;
    }
  }
  w.k_tiles = -1;
  for (int i = 0; i < readers; ++i) {
    shared.works.publish(slot, w, position);
  }
  if constexpr (cluster_position<Policy>::sources > 1) {
    wait_until_read(shared.empty, position);
  }
}

/// The only work of a block, of few rows or columns, by its producer's warp: with the scales of blocks beside it, where
/// there are some. What is not constant is loaded after the kernel before, and the next one may start.
template <class Policy, class Problem>
__device__ void produce_one(wgmma_block<Policy, Problem> const& block, int lane) {
  ring_position<Policy::stages> position;
  work const& w = block.only;
  if constexpr (stages_scales<Policy, Problem>) {
    load_tma<Policy, Problem>::run(block, w, position, lane == 0,
                                   scale_loader<Policy, Problem>(block.problem(w), block.tile(w), w.k_begin, lane));
  } else if (lane == 0) {
    load_tma<Policy, Problem>::run(block, w, position, true, load_no_scales{});
  }
}

/// A warpgroup multiplies, reduces and stores its part of the works that its order gives it.
template <class Policy, class Problem>
__device__ void consume(wgmma_block<Policy, Problem> const& block) {
  using parts = wgmma_parts<Policy, Problem>;
  typename parts::mma mma(block);
  typename parts::order order(block);
  typename parts::store store;
  auto const each = [&] { store.overlap(block); };
  auto const last = [&] {
    order.pass(block);
    store.drain(block);
  };
  accumulators_of<Policy, Problem> accum = {};
#pragma unroll 1
  for (int k_tiles = 0; (k_tiles = order.wait(block)) >= 0;) {
    store.begin(block, order, k_tiles);
    mma.run(block, order, k_tiles, accum, each, last);
    work const w = order.take(block);
    block_tile const tile = block.tile(w);
    if (reduce(block, w, tile, accum)) {
      store(block, w, tile, accum);
    }
  }
  store.end(block);
}

/// Registers of a producer's thread and of a consumer's. Who loads scales or waits for shards would spill with those of
/// the policy; consumers that hold two tiles have none to give.
template <class Policy, bool LoadsScales, bool Awaits>
struct registers_of {
  static constexpr bool has_two = Policy::info.overlapped_epilogue && Policy::block_m * Policy::block_n >= 128 * 256,
                        wanted = LoadsScales ? Policy::producer_registers == 24 : Awaits && !has_two;
  static constexpr int more = wanted ? 16 : 0,
                       less = (more * 128 + Policy::consumer_threads - 1) / Policy::consumer_threads,
                       producer = Policy::producer_registers + more,
                       consumer = Policy::consumer_registers - (less + 7) / 8 * 8;
};

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, Policy::resident)
    sm90_wgmma_kernel(__grid_constant__ typename wgmma_block<Policy, Problem>::params_type const params) {
  if constexpr (arch::has_sm90a_bodies) {
    using order = typename wgmma_parts<Policy, Problem>::order;
    using help = typename wgmma_parts<Policy, Problem>::help;
    auto& shared = arch::dynamic_shared_memory<typename Policy::shared_storage>();
    decltype(wgmma_block<Policy, Problem>::only) only;
    if (!only.find(params.order)) {
      return;  // the whole block
    }
    auto const rank = cluster_position<Policy>::of_block();
    // The same for the whole warp, which the compiler must know to keep it, and what is derived from it, once a warp.
    int const warpgroup = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 128, 0);
    wgmma_block<Policy, Problem> const block{params, shared, rank, warpgroup, only};
    int const producer = static_cast<int>(threadIdx.x) - Policy::consumer_threads;  // which of its threads, from 0
    using registers = registers_of<Policy, stages_scales<Policy, Problem>, awaits_a<Problem>>;

    if (producer == 0) {
      prefetch_maps(params);
      init_ring(shared.full, shared.empty, 1 + help::loaders, order::warps * cluster_position<Policy>::sources);
      order::init(shared);
      help::init(shared);
      arch::fence_mbarrier_init();
    } else if (Policy::is_persistent && producer == 32) {  // meanwhile: a short k waits for the start
      order::init_works(shared);
      arch::fence_mbarrier_init();
    }
    if constexpr (cluster_position<Policy>::sources == 1) {
      __syncthreads();
    } else {
      arch::cluster_arrive();
      arch::cluster_wait();  // for the barriers of all blocks
    }
    if (warpgroup == Policy::consumer_threads / 128) {
      if constexpr (Policy::is_persistent) {
        arch::launch_dependents();
        arch::setmaxnreg_dec<registers::producer>();
        if (producer == 0) {
          produce(block, order::readers);
        }
        if (help::exists && producer >= 32) {
          help::run(block, producer - 32);
        }
      } else {
        produce_one(block, producer);
      }
    } else {
      arch::wait_for_dependency();  // for the kernel before, whose end this one's beginning overlaps, and what it reads
      arch::launch_dependents();
      if constexpr (Policy::is_persistent) {
        arch::setmaxnreg_inc<registers::consumer>();
      }
      consume(block);
    }
  } else {
    __trap();
  }
}

}  // namespace gemm::detail
