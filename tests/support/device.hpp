// SPDX-License-Identifier: BSL-1.0
//! @file
//! Device memory, streams and errors for the tests, the same for a GPU and for the CPU device.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace test {

inline void require_success(cudaError_t error, char const* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
  }
}

/// Device memory of a fixed number of elements.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t count) : count_(count) {
    require_success(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T) + (count == 0)), "cudaMalloc");
  }
  explicit device_array(std::vector<T> const& values) : device_array(values.size()) { upload(values); }
  device_array(device_array&& other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(other.count_) {}
  device_array& operator=(device_array&&) = delete;
  ~device_array() { static_cast<void>(cudaFree(data_)); }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }

  /// The data is there for every stream when this returns.
  void upload(std::vector<T> const& values) {
    require_success(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    require_success(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // cudaMemcpy may return before the last byte
  }

  /// Waits for all work on the device first.
  std::vector<T> download() const {
    std::vector<T> values(count_);
    require_success(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    require_success(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// A stream that does not wait for the default one.
class stream {
 public:
  stream() { require_success(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  ~stream() { static_cast<void>(cudaStreamDestroy(stream_)); }

  cudaStream_t get() const { return stream_; }
  void synchronize() const { require_success(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace test
