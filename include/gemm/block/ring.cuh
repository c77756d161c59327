// SPDX-License-Identifier: BSL-1.0
//! @file
//! A walk round a ring of stages.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>

namespace gemm::detail {

/// A stage and the parity of its phase. Who waits for a stage to be full waits for the phase of this parity; who waits
/// for it to be empty, for the other one. In the first round that is the phase before the first, which is over already.
template <int Stages>
struct ring_position {
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

/// Initialises the barriers of a ring, by one thread: a stage is full after `filled_by` arrivals and the bytes that
/// they announce, and empty after `read_by`. fence_mbarrier_init() comes after it.
template <int Stages>
__device__ void init_ring(arch::mbarrier (&full)[Stages], arch::mbarrier (&empty)[Stages], int filled_by, int read_by) {
  for (int stage = 0; stage < Stages; ++stage) {
    arch::mbarrier_init(full[stage], static_cast<unsigned>(filled_by));
    arch::mbarrier_init(empty[stage], static_cast<unsigned>(read_by));
  }
}

/// 0, once `loaded`, the result of the thread's last load from a stage, is there: the index of the barrier to arrive
/// at. mbarrier_arrive() does not wait for loads in flight, and what TMA then writes would overtake them. `positive`: a
/// parameter of the kernel that is above 0, which the compiler does not know.
__device__ inline std::uint32_t zero_after(std::uint32_t loaded, int positive) {
  return loaded & static_cast<std::uint32_t>(positive >> 31);
}

/// Waits until all stages of a ring have been read, also by the blocks that get what this one loads: `position` is its
/// next stage. A block of a cluster must not end before: arrivals from other blocks may be in flight after a relaxed
/// cluster barrier. Without this a launch failed once in a few (seen on an H200, tests/properties/large_test).
template <int Stages>
__device__ void wait_until_read(arch::mbarrier (&empty)[Stages], ring_position<Stages> position) {
  for (int i = 0; i < Stages; ++i, position.advance()) {
    arch::mbarrier_wait_parity(empty[position.stage], position.phase ^ 1);
  }
}

}  // namespace gemm::detail
