// SPDX-License-Identifier: BSL-1.0
//! @file
//! A maximum in global memory: the CPU device's bodies of include/gemm/arch/global_maximum.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// As documented there.
__host__ __device__ inline std::uint32_t load_relaxed_block(std::uint32_t const* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

/// As documented there.
__host__ __device__ inline void reduce_max(std::uint32_t* to, std::uint32_t value) {
  std::uint32_t was = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (was < value && !__atomic_compare_exchange_n(to, &was, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace gemm::arch
