// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compare and swap among all blocks of a grid.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// atom.acq_rel.gpu.global.cas.b64 | PTX ISA 6.0, section "atom" | replaces a number in global memory by `desired` if
/// it is `expected`, and returns what it was. To the thread, and to those that wait for it in its block, all is visible
/// that others did before they put there what it has found.
__device__ inline unsigned long long compare_and_swap(unsigned long long& where, unsigned long long expected,
                                                      unsigned long long desired) {
  unsigned long long found = 0;
#if defined(__CUDA_ARCH__)
  asm volatile(
      "{\n\t.reg .u64 address;\n\tcvta.to.global.u64 address, %1;\n\t"
      "atom.acq_rel.gpu.global.cas.b64 %0, [address], %2, %3;\n\t}"
      : "=l"(found)
      : "l"(&where), "l"(expected), "l"(desired)
      : "memory");
#endif
  return found;
}

}  // namespace gemm::arch
