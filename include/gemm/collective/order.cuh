// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which of the block's works a warpgroup takes: its part of all, or every other as a whole (ping-pong); or of the one
//! that the block has.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// All warpgroups have their part of every work.
template <class Policy, class Problem>
struct order_all {
  using block_type = wgmma_block<Policy, Problem>;
  static constexpr int readers = 1, warps = Policy::consumer_threads / 32;  // of a work, and of a stage
  ring_position<work_slots> slot;
  ring_position<Policy::stages> position;

  /// Initialises its barriers, and those of the works, by one thread each.
  __device__ static void init(typename Policy::shared_storage&) {}
  __device__ static void init_works(typename Policy::shared_storage& shared) { shared.works.init(warps); }
  __device__ explicit order_all(block_type const&) {}

  /// Waits for the next work, and for its phase of the ping-pong. Its tiles of k; fewer than 0: there is no more.
  __device__ int wait(block_type const& block) { return block.shared.works.wait(slot); }
  __device__ work const& item(block_type const& block) const { return block.shared.works.item[slot.stage]; }
  /// All multiplications of the work have started.
  __device__ void pass(block_type const&) {}
  __device__ work take(block_type const& block) { return block.shared.works.take(slot); }
};

/// Two warpgroups have whole works in turn. A warpgroup's barrier completes when the other has seen its last stage
/// full. Without it, warpgroup w could take for its own a stage that the other has yet to wait for.
template <class Policy, class Problem>
struct order_alternating : order_all<Policy, Problem> {
  using block_type = wgmma_block<Policy, Problem>;
  using order_all<Policy, Problem>::slot, order_all<Policy, Problem>::position;
  static constexpr int readers = 2, warps = 4;
  unsigned phase;

  __device__ static void init(typename Policy::shared_storage& shared) {
    arch::mbarrier_init(shared.turn[0], warps);
    arch::mbarrier_init(shared.turn[1], warps);
  }
  __device__ static void init_works(typename Policy::shared_storage& shared) { shared.works.init(warps); }
  __device__ explicit order_alternating(block_type const& block)
      : order_all<Policy, Problem>(block), phase(block.warpgroup == 0 ? 1 : 0) {  // the first's begins at once
    slot.stage = block.warpgroup;
  }

  __device__ int wait(block_type const& block) {
    int const k_tiles = block.shared.works.wait(slot);
    if (k_tiles >= 0) {
      position = block.shared.works.template tiles_of<Policy::stages>(slot);
      arch::mbarrier_wait_parity(block.shared.turn[block.warpgroup], phase);
      phase ^= 1;
    }
    return k_tiles;
  }
  __device__ void pass(block_type const& block) {
    __syncwarp();  // for all lanes to have seen the phase and the stages, which without k nothing else waits for
    if (threadIdx.x % 32 == 0) {
      arch::mbarrier_arrive(block.shared.turn[1 - block.warpgroup]);
    }
  }
  __device__ work take(block_type const& block) { return block.shared.works.template take<2>(slot); }
};

/// All warpgroups have their part of the block's only work, which each thread finds by itself.
template <class Policy, class Problem>
struct order_one {
  using block_type = wgmma_block<Policy, Problem>;
  static constexpr int warps = Policy::consumer_threads / 32;
  work only;
  ring_position<Policy::stages> position;
  bool done = false;

  __device__ static void init(typename Policy::shared_storage& shared) {
    arch::mbarrier_init(shared.all_read, Policy::consumer_threads);
    arch::mbarrier_init(shared.tile_shared, Policy::consumer_threads);
  }
  __device__ static void init_works(typename Policy::shared_storage&) {}
  __device__ explicit order_one(block_type const& block) : only(block.only) {}

  __device__ int wait(block_type const&) { return done ? -1 : only.k_tiles; }
  __device__ work const& item(block_type const&) const { return only; }
  __device__ void pass(block_type const&) {}
  __device__ work take(block_type const&) {
    done = true;
    return only;
  }
};

template <class Policy, class Problem>
using order_of = std::conditional_t<
    !Policy::is_persistent, order_one<Policy, Problem>,
    std::conditional_t<Policy::alternates, order_alternating<Policy, Problem>, order_all<Policy, Problem>>>;

}  // namespace gemm::detail
