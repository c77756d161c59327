// SPDX-License-Identifier: BSL-1.0
//! @file
//! A call's workspace.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/launch/device.hpp>
#include <gemm/launch/validate.hpp>
#include <gemm/options.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// Stands for the pool of a device that has none: vGPUs answer cudaErrorNotSupported.
inline cudaMemPool_t no_pool() {
  static unsigned char tag;
  return reinterpret_cast<cudaMemPool_t>(&tag);
}

/// A pool on the current device that keeps freed memory, up to a 128th of the device's. The device's default pool gives
/// all of it back whenever the stream is waited for, and the next call then waits for new memory. no_pool() where the
/// device has none, null where this one could not be made.
[[gnu::cold]] inline cudaMemPool_t make_scratch_pool(int device) {
  cudaError_t failed = cudaSuccess;
  auto const done = [&](cudaError_t error) {
    failed = failed == cudaSuccess ? error : failed;
    return error == cudaSuccess;
  };
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;  // none of this is work for a stream
  done(cudaThreadExchangeStreamCaptureMode(&mode));
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  std::size_t available = 0, all = 0;
  if (done(cudaMemPoolCreate(&pool, &properties)) && done(cudaMemGetInfo(&available, &all))) {
    std::uint64_t kept = all / 128;
    done(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  }
  done(cudaThreadExchangeStreamCaptureMode(&mode));
  if (failed != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check, which keeps its own errors
  }
  return failed == cudaErrorNotSupported ? no_pool() : pool;
}

/// What is known of the current device's pool: null at first, then the pool or no_pool(), as long as the program
/// lasts. Null itself for a device of which nothing can be remembered. To be read and written atomically: by the
/// compilers' builtins, since <mutex> and <atomic> cost every translation unit time.
inline cudaMemPool_t* known_pool(int& device) {
  constexpr int most_devices = 64;
  static cudaMemPool_t pools[most_devices]{};
  if (current_device(device) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return device < most_devices ? &pools[device] : nullptr;
}

/// The pool of the current device, made where it is asked for first; no_pool() or null as above.
inline cudaMemPool_t scratch_pool() {
  int device = 0;
  cudaMemPool_t* const known = known_pool(device);
  if (known == nullptr) {
    return nullptr;
  }
  cudaMemPool_t found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
  if (found == nullptr) {
    cudaMemPool_t const made = make_scratch_pool(device);
    if (made != nullptr &&
        __atomic_compare_exchange_n(known, &found, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      found = made;
    } else if (made != nullptr && made != no_pool()) {
      static_cast<void>(cudaMemPoolDestroy(made));  // another thread's was first
    }
  }
  return found;
}

/// Whether run() can take a workspace of its own on the current device, as far as the device has said.
[[gnu::noinline]] inline bool has_scratch_pool() {
  int device = 0;
  cudaMemPool_t* const known = known_pool(device);
  if (known == nullptr) {
    return true;  // the allocation will tell
  }
  cudaMemPool_t found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
  if (int supported = 1;
      found == nullptr && device_attribute(supported, cudaDevAttrMemoryPoolsSupported) && supported == 0 &&
      __atomic_compare_exchange_n(known, &found, no_pool(), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    found = no_pool();
  }
  return found != no_pool();
}

/// Memory from the current device's pool in stream order. Where the device refuses pools, that is remembered.
[[gnu::noinline]] inline cudaError_t allocate_scratch(void*& data, std::size_t bytes, cudaStream_t stream) {
  cudaMemPool_t const pool = scratch_pool();
  cudaError_t const error = pool == no_pool() ? cudaErrorNotSupported
                            : pool != nullptr ? cudaMallocFromPoolAsync(&data, bytes, pool, stream)
                                              : cudaMallocAsync(&data, bytes, stream);
  int device = 0;
  if (cudaMemPool_t* const known = known_pool(device); error == cudaErrorNotSupported && known != nullptr) {
    __atomic_store_n(known, no_pool(), __ATOMIC_RELEASE);
  }
  if (error != cudaSuccess) {
    data = nullptr;
    static_cast<void>(cudaGetLastError());  // the caller reports it: must not surface in the next check
  }
  return error;
}

/// What fits into the caller's workspace. Where there is none run() takes its own: anything, or nothing without a pool.
inline std::size_t limit_of(workspace const& given) {
  return given.data != nullptr ? given.bytes : has_scratch_pool() ? (std::numeric_limits<std::size_t>::max)() : 0;
}

/// Whether a call can have this much workspace: the caller's, or one from the device's pool.
[[gnu::noinline]] inline status check_workspace(workspace const& given, std::size_t needed) {
  status const result = validate_workspace(given, needed);
  if (result && given.data == nullptr && needed > 0 && !has_scratch_pool()) {
    return broken_rule("the workspace is null, needs %zu bytes: the device has no memory pool to take them from",
                       needed);
  }
  return result;
}

/// The caller's workspace, or memory from the library's pool for the time of a call, both in stream order; no memory
/// where none is needed.
class scratch {
 public:
  [[gnu::noinline]] scratch(workspace const& given, std::size_t bytes, cudaStream_t stream)
      : data_(given.data), stream_(stream) {
    if (data_ == nullptr && bytes > 0) {
      error_ = allocate_scratch(data_, bytes, stream);
      owned_ = error_ == cudaSuccess;
    }
  }
  scratch(scratch const&) = delete;
  scratch& operator=(scratch const&) = delete;
  ~scratch() {
    if (owned_) {
      static_cast<void>(cudaFreeAsync(data_, stream_));
    }
  }

  void* data() const { return data_; }
  cudaError_t error() const { return error_; }

 private:
  void* data_;
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
  bool owned_ = false;
};

}  // namespace gemm::detail
