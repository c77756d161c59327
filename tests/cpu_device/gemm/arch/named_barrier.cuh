// SPDX-License-Identifier: BSL-1.0
//! @file
//! Named barriers: the CPU device's bodies of include/gemm/arch/named_barrier.cuh.
//!
//! Their hidden last parameter is the place of the call, for messages.
#pragma once

#include <cuda_runtime.h>

#include "../../cpu_device/named_barrier.hpp"

namespace gemm::arch {

/// As documented there.
__device__ inline void named_barrier_sync(int barrier, int threads,
                                          cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::sync_named_barrier(barrier, threads, where);
}

/// As documented there.
__device__ inline void named_barrier_arrive(int barrier, int threads,
                                            cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::arrive_at_named_barrier(barrier, threads, where);
}

}  // namespace gemm::arch
