// SPDX-License-Identifier: BSL-1.0
//! @file
//! The block's dynamic shared memory, the one kind that the kernels use.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// The dynamic shared memory of the block, seen as one T: its launch must ask for at least sizeof(T) bytes.
///
/// Dynamic even where a static array would do: `sizeof(shared_storage)` is then the launch size for every kernel. The
/// CPU device can poison the memory before each block and put red zones around it. Aligned to 1024 bytes, where the
/// pattern of TMA's swizzles begins.
template <class T>
__device__ inline T& dynamic_shared_memory() {
  static_assert(alignof(T) <= 1024, "gemm: dynamic shared memory is aligned to 1024 bytes, the type wants more.");
  extern __shared__ __align__(1024) unsigned char gemm_dynamic_shared_memory[];
  return *reinterpret_cast<T*>(gemm_dynamic_shared_memory);
}

/// The same by an address that is computed, which the compiler keeps in a register instead of forming it at each use:
/// for kernels that are short of registers (by the other, with_fallback<fp16x3_compensated_128x192x64_2x1> spills 8
/// bytes).
template <class T>
__device__ inline T& computed_shared_memory() {
  struct room {
    alignas(128) unsigned char bytes[sizeof(T)];
  };
  unsigned char* const begin = dynamic_shared_memory<room>().bytes;
  return *reinterpret_cast<T*>(begin + (1024 - reinterpret_cast<std::uintptr_t>(begin) % 1024) % 1024);
}

}  // namespace gemm::arch
