// SPDX-License-Identifier: BSL-1.0
//! @file
//! Kernels loaded before ranks meet.
#pragma once

#include <cuda_runtime.h>

#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Has a kernel loaded on the current device. Its first launch would do so, and may wait for kernels that wait for
/// other ranks, whose calls the same thread is to make.
static inline status load_kernel(void const* kernel) {
  return status_of_launch("a kernel", once_for_kernel<32>(kernel, [&](int) {
                            cudaFuncAttributes attributes;
                            return cudaFuncGetAttributes(&attributes, kernel);
                          }));
}
template <class... Parameter>
status load_kernel(void (*kernel)(Parameter...)) {
  return load_kernel(reinterpret_cast<void const*>(kernel));
}

}  // namespace gemm::detail
