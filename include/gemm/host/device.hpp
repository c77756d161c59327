// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the current device offers, as far as a call has to know it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/status.hpp>

namespace gemm::detail {

/// One attribute of the current device. Asking costs well under a microsecond, so nothing is remembered between calls.
inline status device_attribute(int& value, cudaDeviceAttr attribute) {
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&value, attribute, device);
  }
  if (error != cudaSuccess) {
    return {status_code::cuda_failure, error, "no usable CUDA device: %s", cudaGetErrorString(error)};
  }
  return {};
}

/// Whether a block of the current device can have this much dynamic shared memory, and the device runs the kernels.
inline status check_device(std::size_t shared_bytes) {
  int major = 0;
  if (status result = device_attribute(major, cudaDevAttrComputeCapabilityMajor); !result) {
    return result;
  }
  if (major < 8) {
    return {status_code::unsupported_device, cudaSuccess, "the device has compute capability %d.x, needs 8.0 or later",
            major};
  }
  if (shared_bytes > 48 * 1024) {  // less than that every device grants
    int available = 0;
    if (status result = device_attribute(available, cudaDevAttrMaxSharedMemoryPerBlockOptin); !result) {
      return result;
    }
    if (shared_bytes > static_cast<std::size_t>(available)) {
      return {status_code::unsupported_device, cudaSuccess,
              "the policy needs %zu bytes of shared memory a block, the device has %d", shared_bytes, available};
    }
  }
  return {};
}

}  // namespace gemm::detail
