// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU device's bodies of include/gemm/arch/dependent_launch.cuh.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// As documented there: kernels run one after the other.
__device__ inline void launch_dependents() {}

/// As documented there.
__device__ inline void wait_for_dependency() {}

}  // namespace gemm::arch
