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
[[nodiscard]] cudaError_t launch(geometry const& how, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = how.grid;
  config.blockDim = how.block;
  config.dynamicSmemBytes = how.shared_bytes;
  config.stream = how.stream;
  cudaLaunchAttribute cluster{};
  if (how.cluster.x != 1 || how.cluster.y != 1 || how.cluster.z != 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {how.cluster.x, how.cluster.y, how.cluster.z};
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
