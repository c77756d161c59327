// SPDX-License-Identifier: BSL-1.0
//! @file
//! stmatrix: a warp stores matrices of 8 x 8 elements of 2 bytes from where the tensor cores leave them (sm_90).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// stmatrix.sync.aligned.m8n8.x4.shared.b16 [row], {pairs[0], pairs[1], pairs[2], pairs[3]} | PTX ISA 7.8, section
/// "stmatrix", sm_90.
///
/// Stores four matrices, by the whole warp. Lane l has of each matrix elements 2 (l % 4) and the next of row l / 4. The
/// first is in the lower half of `pairs`. Its `row` is where row l % 8 of matrix l / 8 begins: 16 bytes of shared
/// memory, at a multiple of 16.
__device__ inline void stmatrix(void* row, std::uint32_t const (&pairs)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(pairs[0]),
               "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
               : "memory");
#else
  __trap();
#endif
}

/// stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 | the same of the matrices' transposes: lane l has elements 2 (l % 4)
/// and the next of column l / 4, and says where row l % 8 begins.
__device__ inline void stmatrix_transposed(void* row, std::uint32_t const (&pairs)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(pairs[0]),
               "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
               : "memory");
#else
  __trap();
#endif
}

}  // namespace gemm::arch
