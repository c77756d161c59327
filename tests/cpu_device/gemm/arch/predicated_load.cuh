// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loads under a predicate: the CPU device's bodies of include/gemm/arch/predicated_load.cuh.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// As documented there.
template <class T>
__device__ T load_if(bool condition, T const* from, T otherwise) {
  return condition ? *from : otherwise;
}

}  // namespace gemm::arch
