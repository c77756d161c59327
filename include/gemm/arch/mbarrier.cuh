// SPDX-License-Identifier: BSL-1.0
//! @file
//! mbarrier: barriers in shared memory that count arriving threads and the bytes of asynchronous copies (sm_90).
//!
//! A barrier goes through phases. A phase is complete when as many threads have arrived as mbarrier_init() said and all
//! bytes that were expected have landed; the next one begins at once, with the same number of arrivals. The first phase
//! has parity 0, the second 1, the third 0 again. Nobody waits for an arrival: a ring of stages has one barrier that
//! the producer arrives on (full) and one that the consumers arrive on (empty) for each stage.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// A barrier. It belongs into the block's dynamic shared memory, and what it holds is the hardware's own business.
struct alignas(8) mbarrier {
  std::uint64_t state;
};

/// mbarrier.init.shared::cta.b64 [barrier], arrivals | PTX ISA 7.0, section "mbarrier.init", used here from sm_90 on.
///
/// By one thread, before any other use. `arrivals`: 1 to 2^20 - 1. Other threads may use the barrier after
/// fence_mbarrier_init() by the same thread and a __syncthreads() by all.
__device__ inline void mbarrier_init(mbarrier& barrier, std::uint32_t arrivals) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(arrivals) : "memory");
#else
  __trap();
#endif
}

/// fence.mbarrier_init.release.cluster | PTX ISA 8.0, section "membar/fence", sm_90.
///
/// Makes the barriers that this thread has initialised known to the copies that will complete on them.
__device__ inline void fence_mbarrier_init() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#else
  __trap();
#endif
}

/// mbarrier.arrive.shared::cta.b64 _, [barrier] | PTX ISA 7.0, section "mbarrier.arrive", used here from sm_90 on.
///
/// One arrival in the current phase. What this thread has read and written before comes before what those do who have
/// waited for the phase (release, in the block's scope). Before what TMA then writes comes only what has been read: a
/// load from shared memory may still be in flight when its thread arrives, until something needs its result (seen on
/// an H200, tests/properties/large_test.cu).
__device__ inline void mbarrier_arrive(mbarrier& barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address) : "memory");
#else
  __trap();
#endif
}

/// mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], bytes | PTX ISA 8.0, section "mbarrier.arrive", sm_90.
///
/// As mbarrier_arrive(), and the current phase is not complete before `bytes` more have landed: the sum over the
/// copies that name the barrier, zeros outside the tensor included. Below 2^20. Comes before the copies or after them,
/// but in one phase with them; an arrival of the same thread before its copies sees to that.
__device__ inline void mbarrier_arrive_expect_tx(mbarrier& barrier, std::uint32_t bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address), "r"(bytes) : "memory");
#else
  __trap();
#endif
}

/// mbarrier.try_wait.parity.shared::cta.b64 done, [barrier], parity | PTX ISA 7.8, section "mbarrier.try_wait", sm_90.
///
/// Whether the phase of that parity is complete, as mbarrier_wait_parity() means it. May look for a while. After true
/// it is as if this thread had waited; after false mbarrier_wait_parity() must follow, not a loop round this function.
__device__ inline bool mbarrier_try_wait_parity(mbarrier& barrier, std::uint32_t parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  std::uint32_t done;
  asm volatile(
      "{\n"
      "  .reg .pred done;\n"
      "  mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
      "  selp.u32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(address), "r"(parity)
      : "memory");
  return done != 0;
#else
  __trap();
  return false;
#endif
}

/// mbarrier.try_wait.parity.shared::cta.b64, repeated | PTX ISA 7.8, section "mbarrier.try_wait", sm_90.
///
/// Waits until the phase of that parity (0 or 1) is complete: until the current phase has the other parity. On a fresh
/// barrier 0 waits for the first phase, and 1 returns at once, as if a phase had come before the first. So over a ring,
/// with a bit that begins as 0 and flips at each wrap-around, the consumer waits on full with the bit. The producer
/// waits on empty with its opposite. Who is late by two phases waits for the wrong one.
///
/// Then visible to this thread: what those did who arrived in the phase, and the copies that landed in it.
__device__ inline void mbarrier_wait_parity(mbarrier& barrier, std::uint32_t parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile(
      "{\n"
      "  .reg .pred done;\n"
      "again:\n"
      "  mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "  @!done bra again;\n"
      "}" ::"r"(address),
      "r"(parity)
      : "memory");
#else
  __trap();
#endif
}

}  // namespace gemm::arch
