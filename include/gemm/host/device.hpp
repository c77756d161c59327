// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the current device offers, as far as a call has to know it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/status.hpp>

namespace gemm::detail {

/// Facts of the current device that a call needs, some of them ten times. Asking takes tens of nanoseconds each: little
/// enough to remember nothing between calls, too much to ask repeatedly in one (docs/tuning-notes.md, Launches).
struct device_facts {
  int number = 0, major = 0, minor = 0, multiprocessors = 0, shared_bytes = 0;
  cudaError_t error = cudaSuccess;

  device_facts() {
    error = cudaGetDevice(&number);
    ask(major, cudaDevAttrComputeCapabilityMajor);
    ask(minor, cudaDevAttrComputeCapabilityMinor);
    ask(multiprocessors, cudaDevAttrMultiProcessorCount);
    ask(shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  }

 private:
  void ask(int& value, cudaDeviceAttr attribute) {
    error = error == cudaSuccess ? cudaDeviceGetAttribute(&value, attribute, number) : error;
  }
};

/// Those of the call that this thread is in; null in none.
inline constinit thread_local device_facts const* facts_of_call = nullptr;

/// Asks for them once, for all of what is done as long as this lives: meanwhile, nobody may make another device the
/// thread's current one.
class known_device {
 public:
  known_device() : before_(facts_of_call) { facts_of_call = facts_.error == cudaSuccess ? &facts_ : before_; }
  known_device(known_device const&) = delete;
  known_device& operator=(known_device const&) = delete;
  ~known_device() { facts_of_call = before_; }

 private:
  device_facts facts_;
  device_facts const* before_;
};

inline cudaError_t current_device(int& number) {
  if (device_facts const* const known = facts_of_call; known != nullptr) {
    number = known->number;
    return cudaSuccess;
  }
  return cudaGetDevice(&number);
}

/// A failure is in the status alone, not in what the runtime remembers.
[[gnu::cold]] inline status no_device(cudaError_t error) {
  static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check
  return {status_code::cuda_failure, error, "no usable CUDA device: %s", cudaGetErrorString(error)};
}

/// One attribute of the current device.
[[gnu::noinline]] inline status device_attribute(int& value, cudaDeviceAttr attribute) {
  if (device_facts const* const known = facts_of_call; known != nullptr) {
    int const* const found = attribute == cudaDevAttrComputeCapabilityMajor         ? &known->major
                             : attribute == cudaDevAttrComputeCapabilityMinor       ? &known->minor
                             : attribute == cudaDevAttrMultiProcessorCount          ? &known->multiprocessors
                             : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? &known->shared_bytes
                                                                                    : nullptr;
    if (found != nullptr) {
      value = *found;
      return {};
    }
  }
  int device = 0;
  cudaError_t error = current_device(device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&value, attribute, device);
  }
  return error == cudaSuccess ? status{} : no_device(error);
}

/// Whether a block of the current device can have this much dynamic shared memory, and the device runs the kernels.
[[gnu::noinline]] inline status check_device(std::size_t shared_bytes) {
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
