// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reductions in global memory: the CPU device's bodies of include/gemm/arch/reduction.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// As documented there.
__device__ inline void reduce_add(std::uint32_t* to, std::uint32_t value) {
  __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}

/// As documented there.
__device__ inline void reduce_max(std::uint32_t* to, std::uint32_t value) {
  std::uint32_t was = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (was < value && !__atomic_compare_exchange_n(to, &was, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

/// As documented there.
__device__ inline void reduce_or(std::uint32_t* to, std::uint32_t value) {
  __atomic_fetch_or(to, value, __ATOMIC_RELAXED);
}

}  // namespace gemm::arch
