// SPDX-License-Identifier: BSL-1.0
//! @file
//! A walk round a ring of stages.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>

namespace gemm::detail {

/// A stage and the parity of the turn. Who waits for a stage to be full waits for the phase of this parity, who waits
/// for it to be empty for the other one, which in the first turn is the phase before the first: over already.
template <int Stages>
struct ring_place {
  int stage = 0;
  unsigned phase = 0;

  /// To the next stage, or by as many as By, which the ring has at least.
  template <int By = 1>
  __device__ void advance() {
    static_assert(By <= Stages);
    stage += By;
    if (stage >= Stages) {
      stage -= Stages;
      phase ^= 1;
    }
  }
};

/// Makes the barriers of a ring ready, by one thread: a stage is full after `filled_by` arrivals and what they
/// announce, and empty after `read_by`. fence_mbarrier_init() comes after it.
template <int Stages>
__device__ void init_ring(arch::mbarrier (&full)[Stages], arch::mbarrier (&empty)[Stages], int filled_by, int read_by) {
  for (int stage = 0; stage < Stages; ++stage) {
    arch::mbarrier_init(full[stage], static_cast<unsigned>(filled_by));
    arch::mbarrier_init(empty[stage], static_cast<unsigned>(read_by));
  }
}

/// Waits until all stages of a ring have been read, by those of the blocks that get what this one loads included: `at`
/// is where its next stage would be. A block of a cluster must not end before: the arrivals are from afar, and a
/// barrier of the cluster's that is only relaxed may be over before they are here (an H200, by slices of 128 x 96 tiles
/// in pairs, 496x8896x656: one of a few launches failed).
template <int Stages>
__device__ void wait_until_read(arch::mbarrier (&empty)[Stages], ring_place<Stages> at) {
  for (int i = 0; i < Stages; ++i, at.advance()) {
    arch::mbarrier_wait_parity(empty[at.stage], at.phase ^ 1);
  }
}

}  // namespace gemm::detail
