// SPDX-License-Identifier: BSL-1.0
//! @file
//! The block's dynamic shared memory, the one kind that the kernels use.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

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

}  // namespace gemm::arch
