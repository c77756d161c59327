// SPDX-License-Identifier: BSL-1.0
//! @file
//! gemm/arch/exp2.cuh on the CPU device.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace gemm::arch {

__host__ __device__ inline float exp2(float x) {
  float const power = std::exp2(x);
  return power < 0x1p-126F ? 0 : power;
}

}  // namespace gemm::arch
