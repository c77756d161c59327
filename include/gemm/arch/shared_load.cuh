// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loads from shared memory by 32-bit address, and a loop that the compiler cannot see through: what keeps a main loop
//! as it is written.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// An address in the block's shared memory, in bytes; arithmetic on it takes one register.
using shared_address = std::uint32_t;

__device__ inline shared_address shared_address_of(void const* shared) {
  return static_cast<shared_address>(__cvta_generic_to_shared(shared));
}

/// A signed offset from an address, in bytes.
__device__ constexpr shared_address offset(int bytes) { return static_cast<shared_address>(bytes); }

/// ld.volatile.shared.v4.f32 | PTX ISA 1.0, section "ld" | four floats, the address a multiple of 16.
///
/// Volatile keeps the load where it is written: else ptxas moves it to the first use of its value, where the warp waits
/// for the shared memory (docs/tuning-notes.md, sm90_simt_tma).
__device__ inline void load_shared(float (&values)[4], shared_address from) {
#if defined(__CUDA_ARCH__)
  asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
               : "r"(from));
#endif
}

/// ld.volatile.shared.f32 | PTX ISA 1.0, section "ld" | a float, likewise.
__device__ inline void load_shared(float& value, shared_address from) {
#if defined(__CUDA_ARCH__)
  asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(value) : "r"(from));
#endif
}

/// ld.shared.v4.b32 | PTX ISA 1.0, section "ld" | 16 bytes, at a multiple of 16. Stays among the volatile instructions.
__device__ inline void load_shared(std::uint32_t (&words)[4], shared_address from) {
#if defined(__CUDA_ARCH__)
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(from)
               : "memory");
#endif
}

/// ld.shared.b32 | PTX ISA 1.0, section "ld" | 4 bytes, likewise.
__device__ inline void load_shared(std::uint32_t& word, shared_address from) {
#if defined(__CUDA_ARCH__)
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(from) : "memory");
#endif
}

/// ld.shared.f64 | PTX ISA 1.0, section "ld" | a double, likewise.
__device__ inline void load_shared(double& value, shared_address from) {
#if defined(__CUDA_ARCH__)
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(from) : "memory");
#endif
}

/// st.volatile.shared.v4.f32 | PTX ISA 1.0, section "st" | four floats to a multiple of 16 bytes.
__device__ inline void store_shared(shared_address to, float const (&values)[4]) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.volatile.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(values[0]), "f"(values[1]),
               "f"(values[2]), "f"(values[3])
               : "memory");
#endif
}

/// Makes the compiler believe that the value may have changed; it has not.
__device__ inline void make_opaque(int& value) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(value));
#endif
}

}  // namespace gemm::arch
