// SPDX-License-Identifier: BSL-1.0
//! @file
//! The larger of two, by one instruction.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// max.NaN.f32 | PTX ISA 7.0, section "max", sm_80 | the larger of both, NaN if one is. On the host by a comparison.
__host__ __device__ inline float maximum(float a, float b) {
#if defined(__CUDA_ARCH__)
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
  return larger;
#else
  return a != a || b < a ? a : b;
#endif
}

}  // namespace gemm::arch
