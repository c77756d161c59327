// SPDX-License-Identifier: BSL-1.0
//! @file
//! Kernels loaded before ranks meet.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Has a kernel loaded on the current device, and granted its shared memory. Its first launch would do so, and may wait
/// for kernels that wait for other ranks, whose calls the same thread is to make.
static inline status load_kernel(void const* kernel, std::size_t shared_bytes) {
  cudaError_t const error = once_for_kernel<32>(kernel, [&](int) {
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, kernel);
  });
  return status_of_launch("a kernel", error == cudaSuccess ? grant_shared_memory(kernel, shared_bytes) : error);
}
template <class... Parameter>
status load_kernel(void (*kernel)(Parameter...), std::size_t shared_bytes = 0) {
  return load_kernel(reinterpret_cast<void const*>(kernel), shared_bytes);
}

}  // namespace gemm::detail
