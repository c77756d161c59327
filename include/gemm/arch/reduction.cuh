// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reductions in global memory: what many threads add to one number without reading it.
//!
//! Integers alone, whose sums do not depend on the order. Nothing is said of other memory: who reads the result is of
//! a later kernel.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// red.relaxed.gpu.global.add.u32 [to], value | PTX ISA 6.0, section "red" | to + value, modulo 2^32.
__device__ inline void reduce_add(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#endif
}

/// red.relaxed.gpu.global.max.u32 [to], value | PTX ISA 6.0, section "red" | the greater of to and value.
__device__ inline void reduce_max(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#endif
}

/// red.relaxed.gpu.global.or.b32 [to], value | PTX ISA 6.0, section "red" | to with the bits of value, too.
__device__ inline void reduce_or(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#endif
}

}  // namespace gemm::arch
