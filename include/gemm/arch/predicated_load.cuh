// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loads from global memory under a predicate, without a branch in the code of the compiler's.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// @p ld.global.b8/b16/b32/b64 | PTX ISA 1.0, section "ld", sm_80 | *from, or `otherwise` where `condition` is false:
/// nothing is read then. Volatile, so that it stays behind barriers and the wait for the kernel before; by this thread
/// the memory is not written before.
template <class T>
__device__ T load_if(bool condition, T const* from, T otherwise) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "gemm: a load has 1 to 8 bytes.");
#if defined(__CUDA_ARCH__)
  auto const address = __cvta_generic_to_global(from);
  int const is = condition;
  if constexpr (sizeof(T) == 8) {
    std::uint64_t bits = __builtin_bit_cast(std::uint64_t, otherwise);
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.b64 %0, [%1];\n}"
                 : "+l"(bits)
                 : "l"(address), "r"(is));
    return __builtin_bit_cast(T, bits);
  } else if constexpr (sizeof(T) == 4) {
    std::uint32_t bits = __builtin_bit_cast(std::uint32_t, otherwise);
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.b32 %0, [%1];\n}"
                 : "+r"(bits)
                 : "l"(address), "r"(is));
    return __builtin_bit_cast(T, bits);
  } else if constexpr (sizeof(T) == 2) {
    std::uint16_t bits = __builtin_bit_cast(std::uint16_t, otherwise);
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.b16 %0, [%1];\n}"
                 : "+h"(bits)
                 : "l"(address), "r"(is));
    return __builtin_bit_cast(T, bits);
  } else {
    std::uint32_t bits = __builtin_bit_cast(std::uint8_t, otherwise);
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.u8 %0, [%1];\n}"
                 : "+r"(bits)
                 : "l"(address), "r"(is));
    return __builtin_bit_cast(T, static_cast<std::uint8_t>(bits));
  }
#else
  return condition ? *from : otherwise;
#endif
}

}  // namespace gemm::arch
