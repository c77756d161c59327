// SPDX-License-Identifier: BSL-1.0
//! @file
//! A product in a kernel of one's own: the maximum and the sum of exponentials of each row of A B, as a softmax needs
//! them, without storing A B.

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gemm/block_product.cuh>

#include "device_memory.hpp"

namespace {

// example-begin
using product = gemm::block_product<gemm::sm80_mma_64x64x64, gemm::matrix<__half const, gemm::order::row>,
                                    gemm::matrix<__half const, gemm::order::column>, gemm::alignment<16>>;

struct shared_memory {
  product::shared_storage of_product;
  float maximum[product::block_m], sum[product::block_m];  // of the rows so far
  float of_tile[product::block_m];
};

/// log of the sum of exp(row of A B), of block_m rows a block: tiles of columns one after the other.
__global__ void __launch_bounds__(product::threads) log_sum_exp(product::view_a a, product::view_b b, float* result) {
  auto& shared = gemm::arch::dynamic_shared_memory<shared_memory>();
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const row0 = std::int64_t{blockIdx.x} * product::block_m;
  for (int row = thread; row < product::block_m; row += product::threads) {
    shared.maximum[row] = -INFINITY;
    shared.sum[row] = 0;
  }
  for (std::int64_t column0 = 0; column0 < b.columns; column0 += product::block_n) {
    product tile(shared.of_product);
    tile.multiply(a, b, row0, column0);
    tile.reduce_rows(
        shared.of_tile, -INFINITY, [](int, int, float value) { return value; },
        [](float x, float y) { return fmaxf(x, y); });
    for (int row = thread; row < product::block_m; row += product::threads) {
      float const greatest = fmaxf(shared.maximum[row], shared.of_tile[row]);
      shared.sum[row] *= expf(shared.maximum[row] - greatest);
      shared.maximum[row] = greatest;
    }
    __syncthreads();  // the maxima are there
    tile.reduce_rows(
        shared.of_tile, 0.0F, [&](int row, int, float value) { return expf(value - shared.maximum[row]); },
        [](float x, float y) { return x + y; });
    for (int row = thread; row < product::block_m; row += product::threads) {
      shared.sum[row] += shared.of_tile[row];
    }
  }
  for (int row = thread; row < product::block_m && row0 + row < a.rows; row += product::threads) {
    result[row0 + row] = shared.maximum[row] + logf(shared.sum[row]);
  }
}

cudaError_t enqueue_log_sum_exp(product::view_a const& a, product::view_b const& b, float* result,
                                cudaStream_t stream) {
  int const bytes = sizeof(shared_memory);
  auto* const kernel = &log_sum_exp;
  if (cudaError_t const error = cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel),
                                                     cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      error != cudaSuccess) {
    return error;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>((a.rows + product::block_m - 1) / product::block_m));
  config.blockDim = dim3(product::threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(bytes);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, a, b, result);
}
// example-end

}  // namespace

int main() {
  int const m = 150, n = 200, k = 72;  // queries, keys, and the size of both
  auto const random_a = example::random_values(m * k, 1), random_b = example::random_values(n * k, 2);
  std::vector<__half> a(random_a.size()), b(random_b.size());
  std::transform(random_a.begin(), random_a.end(), a.begin(), [](float x) { return __float2half(x); });
  std::transform(random_b.begin(), random_b.end(), b.begin(), [](float x) { return __float2half(x); });
  example::device_memory const d_a(a), d_b(b);
  example::device_memory<float> const d_result(static_cast<std::size_t>(m));
  example::require(enqueue_log_sum_exp(gemm::row_major(static_cast<__half const*>(d_a.data()), m, k),
                                       gemm::col_major(static_cast<__half const*>(d_b.data()), k, n), d_result.data(),
                                       nullptr));
  auto const result = d_result.values();
  double greatest_error = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
      double value = 0;
      for (std::size_t l = 0; l < static_cast<std::size_t>(k); ++l) {
        value += static_cast<double>(__half2float(a[i * k + l])) * static_cast<double>(__half2float(b[j * k + l]));
      }
      sum += std::exp(value);
    }
    greatest_error = std::max(greatest_error, std::abs(std::log(sum) - static_cast<double>(result[i])));
  }
  bool const right = greatest_error < 1e-4;  // a NaN is not
  std::printf("row_sums: greatest error of log(sum(exp(A B))) over %d rows: %.1e, %s\n", m, greatest_error,
              right ? "as expected" : "too large");
  return right ? 0 : 1;
}
