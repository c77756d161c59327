// SPDX-License-Identifier: BSL-1.0
//! @file
//! mbarrier: the CPU device's bodies of include/gemm/arch/mbarrier.cuh.
//!
//! Their hidden last parameter is the place of the call, for messages.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "../../cpu_device/mbarrier.hpp"
#include "../../cpu_device/memory_access.hpp"

namespace gemm::arch {

/// As documented there. Here it holds a number by which the runtime knows it.
struct alignas(8) mbarrier {
  std::uint64_t state;
};

/// As documented there.
__device__ inline void mbarrier_init(mbarrier& barrier, std::uint32_t arrivals,
                                     cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::init_mbarrier(&barrier.state, arrivals, where);
  cpu_device::observe_write(&barrier, sizeof(barrier));  // of which the other operations are readers
}

/// As documented there.
__device__ inline void fence_mbarrier_init() { cpu_device::fence_mbarriers(); }

/// As documented there.
__device__ inline void mbarrier_arrive(mbarrier& barrier,
                                       cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::observe_read(&barrier, sizeof(barrier));
  cpu_device::arrive_at_mbarrier(&barrier.state, 0, "mbarrier_arrive", where);
}

/// As documented there.
__device__ inline void mbarrier_arrive_expect_tx(mbarrier& barrier, std::uint32_t bytes,
                                                 cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::observe_read(&barrier, sizeof(barrier));
  cpu_device::arrive_at_mbarrier(&barrier.state, bytes, "mbarrier_arrive_expect_tx", where);
}

/// As documented there.
__device__ inline bool mbarrier_try_wait_parity(mbarrier& barrier, std::uint32_t parity,
                                                cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::observe_read(&barrier, sizeof(barrier));
  return cpu_device::test_mbarrier(&barrier.state, parity, where);
}

/// As documented there. A phase that is missed, because it is over before this thread has its turn, is so here, too.
__device__ inline void mbarrier_wait_parity(mbarrier& barrier, std::uint32_t parity,
                                            cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::observe_read(&barrier, sizeof(barrier));
  cpu_device::wait_for_mbarrier(&barrier.state, parity, where);
}

}  // namespace gemm::arch
