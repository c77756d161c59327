// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU device's bodies of include/gemm/arch/dependent_launch.cuh.
#pragma once

#include <cuda_runtime.h>

#include "../../cpu_device/device.hpp"

namespace gemm::arch {

/// As documented there: kernels run one after the other.
__device__ inline void launch_dependents() {}

/// As documented there: what options::kernel_before writes can be read from here on.
__device__ inline void wait_for_dependency() { cpu_device::wait_for_kernel_before(); }

}  // namespace gemm::arch
