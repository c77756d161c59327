// SPDX-License-Identifier: BSL-1.0
//! @file
//! Named barriers: some of a block's warps wait for others, which need not wait for them.
//!
//! A block has sixteen, 0 being that of __syncthreads(). One is complete when as many threads have arrived as all of
//! them say, whether they wait or not, and then begins anew. By whole warps.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// bar.sync barrier, threads | PTX ISA 1.0, section "bar" | arrives at a barrier from 1 to 15 and waits until it is
/// complete. `threads`: a multiple of 32. Then visible to this thread: what those did before who have arrived.
__device__ inline void named_barrier_sync(int barrier, int threads) {
#if defined(__CUDA_ARCH__)
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
#endif
}

/// bar.arrive barrier, threads | PTX ISA 1.0, section "bar" | arrives likewise, and does not wait.
__device__ inline void named_barrier_arrive(int barrier, int threads) {
#if defined(__CUDA_ARCH__)
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
#endif
}

}  // namespace gemm::arch
