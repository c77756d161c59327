// SPDX-License-Identifier: BSL-1.0
//! @file
//! Works passed through shared memory, from the producer, which alone evaluates the schedule, to the consumers.
//!
//! The producer publishes a work before it loads its first tiles. Consumers read k_tiles before their main loop and the
//! rest after it, so that no register holds the schedule's state meanwhile.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Works that a producer may be ahead: as many as a ring has stages, for works of one tile of k. An even number, as two
/// warpgroups may take works in turn.
inline constexpr int work_slots = 8;

template <int Slots>
struct work_ring {
  work item[Slots];
  arch::mbarrier full[Slots], empty[Slots];
  int stage[Slots];  // of the tiles' ring, where the work's begin; and the phase

  /// By one thread, which then calls fence_mbarrier_init(); a work is read by so many warps.
  __device__ void init(int warps) { init_ring(full, empty, 1, warps); }

  /// By one thread; `tiles` is where the work's tiles begin in their ring.
  template <int Stages>
  __device__ void publish(ring_position<Slots>& slot, work const& w, ring_position<Stages> const& tiles) {
    arch::mbarrier_wait_parity(empty[slot.stage], slot.phase ^ 1);
    item[slot.stage] = w;
    stage[slot.stage] = tiles.stage * 2 + static_cast<int>(tiles.phase);
    arch::mbarrier_arrive(full[slot.stage]);
    slot.advance();
  }

  /// The tiles of k of the work at hand; fewer than 0: there is none. Not made known to be the same for the warp, by
  /// __shfl_sync(): ptxas then serialises wgmma in some kernels (ping-pong, 160 x 256).
  __device__ int wait(ring_position<Slots> const& slot) {
    arch::mbarrier_wait_parity(full[slot.stage], slot.phase);
    return item[slot.stage].k_tiles;
  }

  /// Where its tiles begin in their ring, for who does not read all works.
  template <int Stages>
  __device__ ring_position<Stages> tiles_of(ring_position<Slots> const& slot) const {
    int const first = stage[slot.stage];
    return {first / 2, static_cast<unsigned>(first) & 1};
  }

  /// The work at hand, whose slot the warp gives back; By: slots to the next that it reads. By whole warps.
  template <int By = 1>
  __device__ work take(ring_position<Slots>& slot) {
    work const w = item[slot.stage];
    __syncwarp();  // for all lanes to have read it
    if (threadIdx.x % 32 == 0) {
      arch::mbarrier_arrive(empty[slot.stage]);
    }
    slot.template advance<By>();
    return w;
  }
};

/// Of a kernel without a schedule.
template <>
struct work_ring<0> {};

/// The block's place in a grid with persistent clusters along x and their blocks along z.
__device__ inline block_position position_in_grid() { return {blockIdx.x, gridDim.x, blockIdx.z}; }

/// In a grid of one work a block: along x, y and z, or where a cluster shares a tile's k along x and y alone.
__device__ inline block_position position_of_one_work(reduction mode) {
  bool const shares = mode == reduction::cluster;
  unsigned const of_product = blockIdx.x + gridDim.x * blockIdx.y, of_layer = gridDim.x * gridDim.y;
  return {of_product + (shares ? 0 : of_layer * blockIdx.z), of_layer * gridDim.z, shares ? blockIdx.z : 0};
}

}  // namespace gemm::detail
