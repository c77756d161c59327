// SPDX-License-Identifier: BSL-1.0
//! @file
//! Powers of two by one instruction.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace gemm::arch {

/// ex2.approx.ftz.f32 | PTX ISA 1.4, section "ex2", sm_20 | 2^x, off by at most 2^-22 of itself, and 0 where it is less
/// than 2^-126: std::exp2(float) takes three instructions more to be right there. On the host it is that.
__host__ __device__ inline float exp2(float x) {
#if defined(__CUDA_ARCH__)
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
#else
  return std::exp2(x);
#endif
}

}  // namespace gemm::arch
