// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the examples need of CUDA besides the library: memory, errors, time.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gemm/random.hpp>

namespace example {

/// Ends the program where a CUDA call fails.
inline void require(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

/// An array on the device, with the values that it was made with, or with any.
template <class T>
class device_memory {
 public:
  explicit device_memory(std::size_t count) : count_(count) {
    require(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
  }
  explicit device_memory(std::vector<T> const& values) : device_memory(values.size()) {
    require(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  device_memory(device_memory const&) = delete;
  device_memory& operator=(device_memory const&) = delete;
  ~device_memory() { static_cast<void>(cudaFree(data_)); }

  T* data() const { return data_; }
  void fill(int byte) const { require(cudaMemset(data_, byte, bytes())); }

  /// The values on the host, once all work before is done.
  std::vector<T> values() const {
    std::vector<T> result(count_);
    require(cudaMemcpy(result.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }

  T* data_ = nullptr;
  std::size_t count_;
};

/// Uniform in [-1, 1), the same on every machine.
inline std::vector<float> random_values(std::size_t count, std::uint32_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = gemm::uniform_from<float>(gemm::random_bits(seed, i));
  }
  return values;
}

inline std::string device_name() {
  cudaDeviceProp properties{};
  int device = 0;
  require(cudaGetDevice(&device));
  require(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

/// The shortest of a few runs of work(), which enqueues on the default stream.
template <class Work>
double best_seconds(Work work) {
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin));
  require(cudaEventCreate(&end));
  float best = 0;
  for (int i = 0; i < 5; ++i) {
    require(cudaEventRecord(begin));
    static_cast<void>(work());
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end));
    best = i == 0 ? milliseconds : std::min(best, milliseconds);
  }
  require(cudaEventDestroy(begin));
  require(cudaEventDestroy(end));
  return best * 1e-3;
}

}  // namespace example
