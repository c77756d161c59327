// SPDX-License-Identifier: BSL-1.0
//! @file
//! The compiled library in C++: relu(A B + bias) of floats, by a compiler that knows no CUDA.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <vector>

#include <gemm/compiled.hpp>

namespace {

/// A copy in device memory, which lives as long as the program.
float* to_device(std::vector<float> const& values) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, values.size() * sizeof(float)) != cudaSuccess ||
      cudaMemcpy(memory, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice) != cudaSuccess) {
    std::puts("no device memory");
  }
  return static_cast<float*>(memory);
}

// example-begin cpp
/// c = relu(a b + bias), of an m x k a and a k x n b.
gemm::status layer(float const* a, float const* b, float const* bias, float* c, int m, int n, int k) {
  return gemm::run(gemm::row_major(a, m, k), gemm::row_major(b, k, n), gemm::row_major(c, m, n), {},
                   gemm::bias(bias, n) | gemm::relu{});
}
// example-end

}  // namespace

int main() {
  float* const c = to_device({0, 0, 0, 0});
  gemm::status const status =
      layer(to_device({1, 2, 3, 4, 5, 6}), to_device({7, 8, 9, 10, 11, 12}), to_device({-60, 1}), c, 2, 2, 3);
  if (!status) {
    std::puts(status.message());
    return 1;
  }
  float result[4] = {};
  if (cudaMemcpy(result, c, sizeof(result), cudaMemcpyDeviceToHost) != cudaSuccess) {
    std::puts("no result");
    return 1;
  }
  std::printf("%g %g, %g %g\n", static_cast<double>(result[0]), static_cast<double>(result[1]),
              static_cast<double>(result[2]), static_cast<double>(result[3]));
  return result[0] == 0 && result[1] == 65 && result[2] == 79 && result[3] == 155 ? 0 : 1;
}
