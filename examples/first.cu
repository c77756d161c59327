// SPDX-License-Identifier: BSL-1.0
//! @file
//! The first program of README.md, with nothing besides the library.

// example-begin
#include <cstdio>

#include <gemm/gemm.cuh>

int main() {
  float const a[] = {1, 2, 3, 4, 5, 6};     // 2 x 3
  float const b[] = {7, 8, 9, 10, 11, 12};  // 3 x 2
  float c[4], *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, sizeof(a));
  cudaMalloc(&d_b, sizeof(b));
  cudaMalloc(&d_c, sizeof(c));
  cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
  if (cudaError_t const error = cudaGetLastError(); error != cudaSuccess) {
    std::printf("CUDA: %s\n", cudaGetErrorString(error));
    return 1;
  }

  gemm::status const status =
      gemm::run(gemm::row_major(d_a, 2, 3), gemm::row_major(d_b, 3, 2), gemm::row_major(d_c, 2, 2));
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
  std::printf("%4g %4g\n%4g %4g\n", c[0], c[1], c[2], c[3]);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
// example-end
