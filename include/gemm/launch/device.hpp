// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the device of a call offers, as far as the call has to know it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/launch/driver.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Facts of the current device that a call needs, some of them ten times. Asking takes tens of nanoseconds each: little
/// enough to remember nothing between calls, too much to ask repeatedly in one (docs/tuning-notes.md, Launches).
struct device_facts {
  int number = 0, major = 0, minor = 0, multiprocessors = 0, shared_bytes = 0;
  cudaError_t error = cudaSuccess;

  /// Of the current device.
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

/// Those of the current device.
inline device_facts known_facts() { return facts_of_call != nullptr ? *facts_of_call : device_facts{}; }

/// Makes a stream's device the thread's current one for as long as this lives. The runtime asks the current device
/// about kernels and sets their attributes there, but launches them on the stream's.
class current_device_of {
 public:
  explicit current_device_of(cudaStream_t stream) {
    // The streams that every device has are the current one's.
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
      return;
    }
    context_functions const& contexts = context_functions::get();
    CUcontext of_stream = nullptr, current = nullptr;
    if (contexts.are_there() && done(contexts.of_stream(stream, &of_stream)) && done(contexts.current(&current)) &&
        of_stream != current) {
      changed_ = done(contexts.push(of_stream));
    }
  }
  current_device_of(current_device_of const&) = delete;
  current_device_of& operator=(current_device_of const&) = delete;
  ~current_device_of() {
    if (CUcontext ours = nullptr; changed_) {
      static_cast<void>(context_functions::get().pop(&ours));
    }
  }

  cudaError_t error() const { return error_; }

 private:
  bool done(CUresult result) {
    error_ = result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidResourceHandle;
    return result == CUDA_SUCCESS;
  }

  bool changed_ = false;
  cudaError_t error_ = cudaSuccess;
};

/// The device of a call, which is its stream's, and those facts, for all of what is done as long as this lives:
/// meanwhile, nobody may make another device the thread's current one.
class known_device {
 public:
  explicit known_device(cudaStream_t stream) : current_(stream), before_(facts_of_call) {
    facts_of_call = facts_.error == cudaSuccess ? &facts_ : before_;
  }
  known_device(known_device const&) = delete;
  known_device& operator=(known_device const&) = delete;
  ~known_device() { facts_of_call = before_; }

  /// Whether the stream has a device.
  [[gnu::noinline]] gemm::status status() const {
    if (current_.error() == cudaSuccess) {
      return {};
    }
    static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check
    return {status_code::cuda_failure, current_.error(), "the stream has no device: %s",
            cudaGetErrorString(current_.error())};
  }

 private:
  current_device_of current_;  // first, for the facts to be of it
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

/// The current device's multiprocessors; 0 where they cannot be found out, which a launch will say.
inline int multiprocessors_of_call() {
  int count = 0;
  static_cast<void>(device_attribute(count, cudaDevAttrMultiProcessorCount));
  return count;
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
