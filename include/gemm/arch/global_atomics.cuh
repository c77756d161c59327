// SPDX-License-Identifier: BSL-1.0
//! @file
//! Atomic operations on global memory: words that carry their own flag, an exchange by which blocks count themselves,
//! and additions whose result is for a later kernel. Of integers alone, whose sums do not depend on the order. Nothing
//! here waits for another block, which may not run at the same time.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// st.relaxed.gpu.global.u32 | PTX ISA 6.0, section "st", sm_70 | writes a word that others may be reading. Orders
/// nothing: the word itself is all that it tells.
__device__ inline void store_relaxed(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#else
  __trap();
#endif
}

/// ld.relaxed.gpu.global.v4.u32, at most `tries` times | PTX ISA 6.0, section "ld", sm_70 | four words, from a multiple
/// of 16 bytes, that others may be writing, each as it was or as it will be. Whether all of them have these bits: for
/// who can do without what they tell.
__device__ inline bool load_relaxed(std::uint32_t (&to)[4], std::uint32_t const* from, std::uint32_t bits, int tries) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  bool has_bits = false;
  for (int i = 0; i < tries && !has_bits; ++i) {
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "l"(__cvta_generic_to_global(from))
                 : "memory");
    has_bits = (to[0] & to[1] & to[2] & to[3] & bits) == bits;
  }
  return has_bits;
#else
  __trap();
  return false;
#endif
}

/// atom.acq_rel.gpu.global.cas.b64 | PTX ISA 6.0, section "atom" | replaces a number in global memory by `desired` if
/// it is `expected`, and returns what it was. What others did before they stored that number is then visible to this
/// thread, and to those that wait for it in its block.
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

/// red.relaxed.gpu.global.add.u32 [to], value | PTX ISA 6.0, section "red" | to + value, modulo 2^32.
__device__ inline void reduce_add(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#endif
}

/// red.relaxed.gpu.global.or.b32 [to], value | PTX ISA 6.0, section "red" | to with the bits of value, too.
__device__ inline void reduce_or(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
#endif
}

}  // namespace gemm::arch
