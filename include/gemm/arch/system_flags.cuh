// SPDX-License-Identifier: BSL-1.0
//! @file
//! Words by which devices and copies tell each other what is there, and the time that a wait for them takes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// st.release.sys.global.u32 | PTX ISA 6.0, section "st", sm_70 | writes a word of any device. Who reads it by
/// load_acquire_system() sees what was written before.
__device__ inline void store_release_system(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#endif
}

/// ld.acquire.sys.global.u32 | PTX ISA 6.0, section "ld", sm_70 | reads a word that other devices write.
__device__ inline std::uint32_t load_acquire_system(std::uint32_t const* from) {
  std::uint32_t value = 0;
#if defined(__CUDA_ARCH__)
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(from)) : "memory");
#endif
  return value;
}

/// fence.proxy.async.global | PTX ISA 8.0, section "membar/fence", sm_90 | orders what this thread has seen of global
/// memory before the loads by TMA that it issues from here on.
__device__ inline void fence_proxy_async_global() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.global;" ::: "memory");
#endif
}

/// %globaltimer | PTX ISA 3.1, section "Special Registers" | nanoseconds since some moment.
__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now = 0;
#if defined(__CUDA_ARCH__)
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
#endif
  return now;
}

/// nanosleep.u32 | PTX ISA 6.3, section "nanosleep", sm_70 | between two looks at a word.
__device__ inline void pause() {
#if defined(__CUDA_ARCH__)
  asm volatile("nanosleep.u32 64;");
#endif
}

}  // namespace gemm::arch
