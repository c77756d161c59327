// SPDX-License-Identifier: BSL-1.0
//! @file
//! Atomic operations on global memory: counters, by which blocks of a grid share out work and tell one another what has
//! been done (sm_70 and later), and what many threads add to one number without reading it, whose result is for a later
//! kernel. Of integers alone, whose sums do not depend on the order.
//!
//! Nothing says that two blocks of a grid run at the same time. Who waits for a counter must be sure that those who
//! count are running already, or that it would do the work itself.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// atom.relaxed.gpu.global.add.u32 | PTX ISA 6.0, section "atom", sm_70 | adds 1, returns what was there. Orders
/// nothing: to share out what nobody has written.
__device__ inline std::uint32_t take_ticket(std::uint32_t* counter) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  std::uint32_t before;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  return before;
#else
  __trap();
  return 0;
#endif
}

/// red.release.gpu.global.add.u32 [counter], 1 | PTX ISA 6.0, section "red", sm_70.
///
/// What this thread has written before, and what others had whom it has met at a barrier since, can be read by those
/// who have waited for the count.
__device__ inline void count_up(std::uint32_t* counter) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
#else
  __trap();
#endif
}

/// ld.acquire.gpu.global.u32, repeated | PTX ISA 6.0, section "ld", sm_70 | waits until the counter is at `least` or
/// more. What TMA is to read then needs fence_proxy_async_global() besides.
__device__ inline void wait_for_count(std::uint32_t const* counter, std::uint32_t least) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  std::uint32_t count;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
  } while (count < least);
#else
  __trap();
#endif
}

/// ld.acquire.gpu.global.u32, at most `tries` times | PTX ISA 6.0, section "ld", sm_70 | whether the counter is at
/// `least` or more, which it may not come to: for who can do without those that count.
__device__ inline bool reaches_count(std::uint32_t const* counter, std::uint32_t least, int tries) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  std::uint32_t count = 0;
  for (int i = 0; i < tries && count < least; ++i) {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
  }
  return count >= least;
#else
  __trap();
  return false;
#endif
}

/// atom.acq_rel.gpu.global.cas.b64 | PTX ISA 6.0, section "atom" | replaces a number in global memory by `desired` if
/// it is `expected`, and returns what it was. To the thread, and to those that wait for it in its block, all is visible
/// that others did before they put there what it has found.
__device__ inline unsigned long long compare_and_swap(unsigned long long& where, unsigned long long expected,
                                                      unsigned long long desired) {
  unsigned long long found = 0;
#if defined(__CUDA_ARCH__)
  asm volatile(
      "{\n\t.reg .u64 address;\n\tcvta.to.global.u64 address, %1;\n\t"
      "atom.acq_rel.gpu.global.cas.b64 %0, [address], %2, %3;\n\t}"
      : "=l"(found)
      : "l"(&where), "l"(expected), "l"(desired)
      : "memory");
#endif
  return found;
}

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
