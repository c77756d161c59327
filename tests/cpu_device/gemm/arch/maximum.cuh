// SPDX-License-Identifier: BSL-1.0
//! @file
//! gemm/arch/maximum.cuh on the CPU device.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

__host__ __device__ inline float maximum(float a, float b) { return a != a || b < a ? a : b; }

}  // namespace gemm::arch
