// SPDX-License-Identifier: BSL-1.0
//! @file
//! setmaxnreg: warpgroups of one block with different numbers of registers (sm_90a, and no other).
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// setmaxnreg.inc.sync.aligned.u32 Registers | PTX ISA 8.0, section "setmaxnreg", sm_90a.
///
/// By all threads of a warpgroup (128 threads, the first at a multiple of 128): from here on each may use that many
/// registers, and the compiler counts on them. Waits until the block has them to spare, which is for ever if others do
/// not give up enough with setmaxnreg_dec(): the sum over the block must not exceed what its launch reserved, the
/// kernel's register count (set by __launch_bounds__) times the threads.
template <int Registers>
__device__ inline void setmaxnreg_inc() {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "gemm: setmaxnreg takes 24 to 256 registers, a multiple of 8.");
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
#else
  __trap();
#endif
}

/// setmaxnreg.dec.sync.aligned.u32 Registers | PTX ISA 8.0, section "setmaxnreg", sm_90a.
///
/// As above, but each thread keeps only that many registers and releases the others.
template <int Registers>
__device__ inline void setmaxnreg_dec() {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "gemm: setmaxnreg takes 24 to 256 registers, a multiple of 8.");
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
#else
  __trap();
#endif
}

}  // namespace gemm::arch
