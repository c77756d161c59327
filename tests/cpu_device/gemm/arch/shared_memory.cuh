// SPDX-License-Identifier: BSL-1.0
//! @file
//! The block's dynamic shared memory: the CPU device's body of include/gemm/arch/shared_memory.cuh.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// As documented there. Fails if the launch asked for less than sizeof(T).
template <class T>
__device__ inline T& dynamic_shared_memory() {
  static_assert(alignof(T) <= 1024, "gemm: dynamic shared memory is aligned to 1024 bytes, the type wants more.");
  return *static_cast<T*>(cpu_device::dynamic_shared_memory(sizeof(T)));
}

/// As documented there.
template <class T>
__device__ inline T& computed_shared_memory() {
  return dynamic_shared_memory<T>();
}

}  // namespace gemm::arch
