// SPDX-License-Identifier: BSL-1.0
//! @file
//! The smallest program outside the library's own build, with a policy by name, which compiles in a tenth of the time.

#include <cstdio>

#include <gemm/gemm.cuh>

int main() {
  int const m = 100, n = 70, k = 50;
  float* memory = nullptr;
  if (cudaMalloc(&memory, sizeof(float) * (m * k + k * n + m * n)) != cudaSuccess) {
    std::puts("no GPU memory");
    return 1;
  }
  float *const a = memory, *const b = a + m * k, *const c = b + k * n;
  if (cudaMemset(a, 0, sizeof(float) * (m * k + k * n)) != cudaSuccess ||
      cudaMemset(c, 0xff, sizeof(float) * (m * n)) != cudaSuccess) {  // NaN: what is not written shows
    std::puts("no memory could be set");
    return 1;
  }
  gemm::status const status =
      gemm::run<gemm::pipelined_64x64x16>(gemm::row_major(a, m, k), gemm::row_major(b, k, n), gemm::row_major(c, m, n));
  float last = 1;
  bool const right =
      status && cudaMemcpy(&last, c + m * n - 1, sizeof(last), cudaMemcpyDeviceToHost) == cudaSuccess && last == 0;
  std::printf("%s%s\n", right ? "right" : "wrong ", status.message());
  cudaFree(memory);
  return right ? 0 : 1;
}
