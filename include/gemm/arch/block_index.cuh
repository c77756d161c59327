// SPDX-License-Identifier: BSL-1.0
//! @file
//! The block's place in the grid, and the thread's in the block, read anew each time.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// mov.u32 %ctaid | PTX ISA 1.0, section "Special Registers: %ctaid" | what blockIdx is.
///
/// What the compiler derives from blockIdx before a main loop and needs after it, it keeps in registers all the while.
/// This read it cannot merge with an earlier one, so that asking again costs a few instructions instead of registers.
__device__ inline uint3 block_index() {
#if defined(__CUDA_ARCH__)
  uint3 index;
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(index.x));
  asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(index.y));
  asm volatile("mov.u32 %0, %%ctaid.z;" : "=r"(index.z));
  return index;
#else
  return {};
#endif
}

/// mov.u32 %tid.x | PTX ISA 1.0, section "Special Registers: %tid" | what threadIdx.x is, likewise.
__device__ inline int thread_index() {
#if defined(__CUDA_ARCH__)
  int index;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(index));
  return index;
#else
  return 0;
#endif
}

}  // namespace gemm::arch
