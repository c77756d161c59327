// SPDX-License-Identifier: BSL-1.0
//! @file
//! A lambda as an epilogue: nvcc needs --extended-lambda for it.

#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

// example-begin
/// c = a b below the diagonal, `masked` above it: a causal mask, after a scale of the library's own.
gemm::status causal(float const* a, float const* b, float* c, int n, float factor, float masked) {
  auto const mask = [masked] __device__(float value, std::int64_t row, std::int64_t column) {
    return column <= row ? value : masked;
  };
  return gemm::run<gemm::coalesced_32x32>(gemm::row_major(a, n, n), gemm::row_major(b, n, n), gemm::row_major(c, n, n),
                                          gemm::scale(factor) | mask);
}
// example-end

int main() {
  int const n = 67;
  std::vector<float> a(n * n), b(n * n), want(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[static_cast<std::size_t>(i)] = static_cast<float>(i * 7 % 13 - 6);
    b[static_cast<std::size_t>(i)] = static_cast<float>(i * 5 % 11 - 5);
  }
  example::device_memory const d_a(a), d_b(b), d_c(want);
  gemm::status const status = causal(d_a.data(), d_b.data(), d_c.data(), n, 0.5f, -1000);
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  auto const c = d_c.values();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < n; ++l) {
        sum += a[static_cast<std::size_t>(i * n + l)] * b[static_cast<std::size_t>(l * n + j)];
      }
      wrong += c[static_cast<std::size_t>(i * n + j)] != (j <= i ? 0.5f * sum : -1000.0f);
    }
  }
  std::printf("device_lambda: %d of %d elements wrong\n", wrong, n * n);
  return wrong == 0 ? 0 : 1;
}
