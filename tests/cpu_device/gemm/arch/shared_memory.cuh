// SPDX-License-Identifier: BSL-1.0
//! @file
//! The block's dynamic shared memory: the CPU device's body of include/gemm/arch/shared_memory.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gemm::arch {

/// As documented there.
inline constexpr std::size_t swizzle_slack = 1024 - 128;

/// As documented there. Fails if the launch asked for less than sizeof(T).
template <class T>
__device__ inline T& dynamic_shared_memory() {
  static_assert(alignof(T) <= 1024, "gemm: dynamic shared memory is aligned to 1024 bytes, the type wants more.");
  return *static_cast<T*>(cpu_device::dynamic_shared_memory(sizeof(T)));
}

/// As documented there.
template <class T>
__device__ inline T& swizzled_shared_memory() {
  auto* const begin = static_cast<unsigned char*>(cpu_device::dynamic_shared_memory(sizeof(T) + swizzle_slack));
  return *reinterpret_cast<T*>(begin + (1024 - reinterpret_cast<std::uintptr_t>(begin) % 1024) % 1024);
}

}  // namespace gemm::arch
