// SPDX-License-Identifier: BSL-1.0
//! @file
//! gemm/arch/block_index.cuh on the CPU device.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

__device__ inline uint3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }

__device__ inline int thread_index() { return static_cast<int>(threadIdx.x); }

}  // namespace gemm::arch
