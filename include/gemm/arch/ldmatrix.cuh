// SPDX-License-Identifier: BSL-1.0
//! @file
//! ldmatrix: a warp loads matrices of 8 rows of 16 bytes to where mma.sync takes them (sm_75 and later); and the
//! permutation of bytes for what it loads of 8-bit elements.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/shared_load.cuh>

namespace gemm::arch {

/// ldmatrix.sync.aligned.m8n8.xN.shared.b16 | PTX ISA 6.5, section "ldmatrix", sm_75 | N = 1, 2 or 4 matrices, by the
/// whole warp. Lane l names row l % 8 of matrix l / 8, 16 bytes of shared memory at a multiple of 16; lanes from 8 N on
/// name nothing. It gets, of row l / 4 of each matrix, bytes 4 (l % 4) to 4 (l % 4) + 3.
template <int N>
__device__ inline void ldmatrix(std::uint32_t (&words)[N], shared_address row) {
  static_assert(N == 1 || N == 2 || N == 4, "gemm: ldmatrix loads 1, 2 or 4 matrices.");
#if defined(__CUDA_ARCH__)
  if constexpr (N == 1) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(words[0]) : "r"(row) : "memory");
  } else if constexpr (N == 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(words[0]), "=r"(words[1])
                 : "r"(row)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row)
                 : "memory");
  }
#endif
}

/// ldmatrix.sync.aligned.m8n8.xN.trans.shared.b16 | the same of the transposes of 8 x 8 elements of 2 bytes: lane l
/// gets, of each matrix, element l / 4 of row 2 (l % 4), in the lower half, and of the next row.
template <int N>
__device__ inline void ldmatrix_transposed(std::uint32_t (&words)[N], shared_address row) {
  static_assert(N == 1 || N == 2 || N == 4, "gemm: ldmatrix loads 1, 2 or 4 matrices.");
#if defined(__CUDA_ARCH__)
  if constexpr (N == 1) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(words[0]) : "r"(row) : "memory");
  } else if constexpr (N == 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(words[0]), "=r"(words[1])
                 : "r"(row)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row)
                 : "memory");
  }
#endif
}

/// prmt.b32 | PTX ISA 2.0, section "prmt" | byte i of the result is byte (Selector >> 4 i) % 8 of the eight of a and b.
template <unsigned Selector>
__device__ inline std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(a, b, Selector);
#else
  return 0;
#endif
}

}  // namespace gemm::arch
