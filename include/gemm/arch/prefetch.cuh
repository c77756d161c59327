// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loads into a multiprocessor's cache that nothing waits for.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// prefetch.global.L1 | PTX ISA 2.0, section "prefetch", sm_20 | asks for the cache line of a global address.
__device__ inline void prefetch_l1(void const* global) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(__cvta_generic_to_global(global)));
}

}  // namespace gemm::arch
