// SPDX-License-Identifier: BSL-1.0
//! @file
//! The stream of a device on which a thread's copies run beside its products.
#pragma once

#include <cuda_runtime.h>

namespace gemm::detail {

/// Made when it is first needed, and kept until the thread ends.
class side_stream {
 public:
  side_stream() = default;
  side_stream(side_stream const&) = delete;
  side_stream& operator=(side_stream const&) = delete;
  ~side_stream() {
    if (stream_ != nullptr) {
      static_cast<void>(cudaEventDestroy(event_));
      static_cast<void>(cudaStreamDestroy(stream_));
    }
  }

  /// That of the current device; null if it cannot be made, and the runtime remembers why.
  static side_stream* of_current_device() {
    constexpr int most_devices = 64;
    static thread_local side_stream all[most_devices];
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess || device >= most_devices || !all[device].make()) {
      return nullptr;
    }
    return &all[device];
  }

  cudaStream_t stream() const { return stream_; }
  /// It goes on when `other` has come here; or `other` when it has.
  cudaError_t follow(cudaStream_t other) { return order(other, stream_); }
  cudaError_t lead(cudaStream_t other) { return order(stream_, other); }

 private:
  bool make() {
    if (stream_ == nullptr && cudaEventCreateWithFlags(&event_, cudaEventDisableTiming) == cudaSuccess &&
        cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) != cudaSuccess) {
      stream_ = nullptr;
      static_cast<void>(cudaEventDestroy(event_));
    }
    return stream_ != nullptr;
  }
  cudaError_t order(cudaStream_t before, cudaStream_t after) {
    cudaError_t const error = cudaEventRecord(event_, before);
    return error == cudaSuccess ? cudaStreamWaitEvent(after, event_, 0) : error;
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

}  // namespace gemm::detail
