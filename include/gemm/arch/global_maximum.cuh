// SPDX-License-Identifier: BSL-1.0
//! @file
//! A maximum of unsigned integers in global memory that many threads raise, and what keeps most of them from it. On the
//! host without atomicity, for functions that are for both.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// ld.relaxed.cta.global.u32 | PTX ISA 6.0, section "ld", sm_70 | a word that others may be writing, which the L1 may
/// serve. Of a word that only grows it may be out of date, and is then less; never from before what the thread itself
/// has done, or what is ordered before it (PTX ISA, Memory Consistency Model, Coherence and Causality).
__host__ __device__ inline std::uint32_t load_relaxed_block(std::uint32_t const* from) {
#if defined(__CUDA_ARCH__)
  std::uint32_t value;
  asm volatile("ld.relaxed.cta.global.u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(from)) : "memory");
  return value;
#else
  return *from;
#endif
}

/// red.relaxed.gpu.global.max.u32 [to], value | PTX ISA 6.0, section "red" | the greater of to and value. Of a warp's
/// threads at one word, ptxas makes one operation (REDUX).
__host__ __device__ inline void reduce_max(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#else
  *to = value < *to ? *to : value;
#endif
}

}  // namespace gemm::arch
