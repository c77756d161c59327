// SPDX-License-Identifier: BSL-1.0
//! @file
//! The block's dynamic shared memory, the one kind that the kernels use.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gemm::arch {

/// What a launch must ask for besides sizeof(T) so that swizzled_shared_memory() finds room.
inline constexpr std::size_t swizzle_slack = 1024 - 128;

/// The dynamic shared memory of the block, seen as one T: its launch must ask for at least sizeof(T) bytes.
///
/// Dynamic even where a static array would do: `sizeof(shared_storage)` is then the launch size for every kernel, and
/// the CPU device can poison the memory before each block and put red zones round it. Aligned to 1024 bytes, where the
/// pattern of TMA's swizzles begins.
template <class T>
__device__ inline T& dynamic_shared_memory() {
  static_assert(alignof(T) <= 1024, "gemm: dynamic shared memory is aligned to 1024 bytes, the type wants more.");
  extern __shared__ __align__(1024) unsigned char gemm_dynamic_shared_memory[];
  return *reinterpret_cast<T*>(gemm_dynamic_shared_memory);
}

/// The same, as far from the memory's beginning as it takes for T to be at a multiple of 1024 bytes, where the pattern
/// of TMA's swizzles begins: its launch must ask for sizeof(T) + swizzle_slack bytes.
template <class T>
__device__ inline T& swizzled_shared_memory() {
  struct room {
    alignas(128) unsigned char bytes[sizeof(T) + swizzle_slack];
  };
  unsigned char* const begin = dynamic_shared_memory<room>().bytes;
  return *reinterpret_cast<T*>(begin + (1024 - reinterpret_cast<std::uintptr_t>(begin) % 1024) % 1024);
}

}  // namespace gemm::arch
