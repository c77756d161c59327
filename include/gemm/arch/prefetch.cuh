// SPDX-License-Identifier: BSL-1.0
//! @file
//! Hints to the L2.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// prefetch.global.L2 [address] | PTX ISA 2.0, section "prefetch", sm_80 | has the L2 fetch the address's cache line. A
/// hint: who writes it later is seen by whoever reads it after that.
__device__ inline void prefetch_to_l2(void const* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(address)) : "memory");
#endif
}

}  // namespace gemm::arch
