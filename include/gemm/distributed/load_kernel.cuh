// SPDX-License-Identifier: BSL-1.0
//! @file
//! Kernels loaded before ranks meet.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/launch/device.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Has a kernel loaded on the current device. Its first launch would do so, and may wait for kernels that wait for
/// other ranks, whose calls the same thread is to make. Every thread remembers some.
[[gnu::noinline]] static inline status load_kernel(void const* kernel) {
  struct known_kernel {
    void const* kernel = nullptr;
    int device = 0;
  };
  constexpr std::size_t remembered = 32;
  static thread_local known_kernel all[remembered];
  static thread_local std::size_t next = 0;
  int device = 0;
  cudaError_t error = current_device(device);
  for (known_kernel const& other : all) {
    if (other.kernel == kernel && other.device == device) {
      return {};
    }
  }
  cudaFuncAttributes attributes;
  error = error == cudaSuccess ? cudaFuncGetAttributes(&attributes, kernel) : error;
  if (error == cudaSuccess) {
    all[next] = {kernel, device};
    next = (next + 1) % remembered;
  }
  return status_of_launch("a kernel", error);
}
template <class... Parameter>
status load_kernel(void (*kernel)(Parameter...)) {
  return load_kernel(reinterpret_cast<void const*>(kernel));
}

}  // namespace gemm::detail
