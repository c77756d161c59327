// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU device's bodies of include/gemm/arch/prefetch.cuh.
#pragma once

#include <cuda_runtime.h>

#include "../../cpu_device/device.hpp"

namespace gemm::arch {

/// As documented there. There is no L2.
__device__ inline void prefetch_to_l2(void const*) { cpu_device::record_prefetch(cpu_device::prefetched_line); }

}  // namespace gemm::arch
