// SPDX-License-Identifier: BSL-1.0
//! @file
//! Atomic operations on global memory: the CPU device's bodies of include/gemm/arch/global_atomics.cuh.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

namespace gemm::arch {

/// As documented there.
__device__ inline void store_relaxed(std::uint32_t* to, std::uint32_t value) {
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

/// As documented there, but looks once: clusters run one after the other.
__device__ inline bool load_relaxed(std::uint32_t (&to)[4], std::uint32_t const* from, std::uint32_t bits, int) {
  for (int i = 0; i < 4; ++i) {
    to[i] = __atomic_load_n(from + i, __ATOMIC_RELAXED);
  }
  return (to[0] & to[1] & to[2] & to[3] & bits) == bits;
}

/// As documented there.
__device__ inline unsigned long long compare_and_swap(unsigned long long& where, unsigned long long expected,
                                                      unsigned long long desired) {
  std::atomic_ref(where).compare_exchange_strong(expected, desired, std::memory_order_acq_rel);
  return expected;
}

/// As documented there.
__device__ inline void reduce_add(std::uint32_t* to, std::uint32_t value) {
  __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}

/// As documented there.
__device__ inline void reduce_or(std::uint32_t* to, std::uint32_t value) {
  __atomic_fetch_or(to, value, __ATOMIC_RELAXED);
}

}  // namespace gemm::arch
