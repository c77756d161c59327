// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compare and swap: the CPU device's body of include/gemm/arch/compare_and_swap.cuh.
#pragma once

#include <cuda_runtime.h>

#include <atomic>

namespace gemm::arch {

/// As documented there.
__device__ inline unsigned long long compare_and_swap(unsigned long long& where, unsigned long long expected,
                                                      unsigned long long desired) {
  std::atomic_ref(where).compare_exchange_strong(expected, desired, std::memory_order_acq_rel);
  return expected;
}

}  // namespace gemm::arch
