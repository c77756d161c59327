// SPDX-License-Identifier: BSL-1.0
//! @file
//! A call's workspace.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/host/device.hpp>
#include <gemm/options.hpp>

namespace gemm::detail {

/// A pool on the current device that keeps what is given back to it, up to a 128th of the device's memory: the
/// device's own gives all of it back to the system whenever the stream is waited for, and the next call then waits for
/// new memory (an H200, 3001^3: 330 us). Null where no pool can be made.
[[gnu::cold]] inline cudaMemPool_t make_scratch_pool(int device) {
  bool failed = false;
  auto const done = [&](cudaError_t error) {
    failed = failed || error != cudaSuccess;
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
  if (failed) {
    static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check, which keeps its own errors
  }
  return pool;
}

/// The pool of the current device, made at the first call for it and there as long as the program; null as above. By no
/// mutex, whose header costs every translation unit a quarter of a second.
inline cudaMemPool_t scratch_pool() {
  constexpr int most_devices = 64;
  static std::array<std::atomic<cudaMemPool_t>, most_devices> pools{};
  int device = 0;
  if (current_device(device) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  if (device >= most_devices) {
    return nullptr;
  }
  std::atomic<cudaMemPool_t>& pool = pools[static_cast<std::size_t>(device)];
  cudaMemPool_t found = pool.load(std::memory_order_acquire);
  if (found == nullptr) {
    cudaMemPool_t const made = make_scratch_pool(device);
    if (made != nullptr && pool.compare_exchange_strong(found, made, std::memory_order_acq_rel)) {
      found = made;
    } else if (made != nullptr) {
      static_cast<void>(cudaMemPoolDestroy(made));  // another thread's was first
    }
  }
  return found;
}

/// What fits into the caller's workspace: anything where there is none, because run() then takes its own.
inline std::size_t limit_of(workspace const& given) {
  return given.data == nullptr ? (std::numeric_limits<std::size_t>::max)() : given.bytes;
}

/// The caller's workspace, or memory from the library's pool for the time of a call, both in stream order; no memory
/// where none is needed.
class scratch {
 public:
  [[gnu::noinline]] scratch(workspace const& given, std::size_t bytes, cudaStream_t stream)
      : data_(given.data), stream_(stream) {
    if (data_ == nullptr && bytes > 0) {
      cudaMemPool_t const pool = scratch_pool();
      error_ = pool != nullptr ? cudaMallocFromPoolAsync(&data_, bytes, pool, stream)
                               : cudaMallocAsync(&data_, bytes, stream);
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
