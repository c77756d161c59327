// SPDX-License-Identifier: BSL-1.0
//! @file
//! Counters in global memory: the CPU device's bodies of include/gemm/arch/global_counter.cuh.
//!
//! The hidden last parameter is the place of the call, for messages.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "../../cpu_device/global_counter.hpp"

namespace gemm::arch {

/// As documented there.
__device__ inline std::uint32_t take_ticket(std::uint32_t* counter) { return cpu_device::take_ticket(counter); }

/// As documented there.
__device__ inline void count_up(std::uint32_t* counter) { cpu_device::count_up(counter); }

/// As documented there. Where only other clusters could count, it is a deadlock: they run one after the other.
__device__ inline void wait_for_count(std::uint32_t const* counter, std::uint32_t least,
                                      cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::wait_for_count(counter, least, where);
}

}  // namespace gemm::arch
