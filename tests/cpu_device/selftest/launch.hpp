// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the tests of the CPU device share: a launch in one line, and arrays of its memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace selftest {

/// grid, block, dynamic shared memory, stream: as between <<< and >>>. And the cluster.
struct geometry {
  dim3 grid = 1;
  dim3 block = 1;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  dim3 cluster = 1;
};

template <class... Parameters, class... Arguments>
[[nodiscard]] cudaError_t launch(geometry const& shape, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  cudaLaunchAttribute cluster{};
  if (shape.cluster.x != 1 || shape.cluster.y != 1 || shape.cluster.z != 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {shape.cluster.x, shape.cluster.y, shape.cluster.z};
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

/// Global memory for `size` elements.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t size) : size_(size) { (void)cudaMalloc(&data_, size * sizeof(T)); }
  explicit device_array(std::vector<T> const& values) : device_array(values.size()) {
    (void)cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~device_array() { (void)cudaFree(data_); }
  device_array(device_array const&) = delete;
  device_array& operator=(device_array const&) = delete;

  T* data() const { return data_; }
  std::vector<T> host() const {
    std::vector<T> values(size_);
    (void)cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace selftest
