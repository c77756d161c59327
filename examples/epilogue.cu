// SPDX-License-Identifier: BSL-1.0
//! @file
//! A fused epilogue: bias, relu, and a functor of one's own.

#include <algorithm>
#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

// example-begin
/// Any functor of (value, row, column): here, weights that fall off with the distance from the diagonal.
struct near_diagonal {
  float width;

  __host__ __device__ float operator()(float value, std::int64_t row, std::int64_t column) const {
    float const distance = static_cast<float>(row < column ? column - row : row - column);
    return value * width / (width + distance);
  }
};

/// c = near_diagonal(relu(2 a b + bias)), in one pass over c.
gemm::status smooth(float const* a, float const* b, float const* bias, float* c, int n) {
  return gemm::run(gemm::row_major(a, n, n), gemm::row_major(b, n, n), gemm::row_major(c, n, n), {.alpha = 2},
                   gemm::bias(bias, n) | gemm::relu{} | near_diagonal{.width = 3});
}
// example-end

int main() {
  int const n = 67;
  std::vector<float> identity(n * n), b(n * n), bias(n);
  for (int i = 0; i < n; ++i) {
    identity[static_cast<std::size_t>(i * n + i)] = 1;
    bias[static_cast<std::size_t>(i)] = static_cast<float>(i % 3);
    for (int j = 0; j < n; ++j) {
      b[static_cast<std::size_t>(i * n + j)] = static_cast<float>((i * 5 + j * 3) % 11 - 5);
    }
  }
  example::device_memory const d_a(identity), d_b(b), d_bias(bias), d_c(b);
  gemm::status const status = smooth(d_a.data(), d_b.data(), d_bias.data(), d_c.data(), n);
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  auto const c = d_c.values();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      auto const at = static_cast<std::size_t>(i * n + j);
      float const value = std::max(2 * b[at] + bias[static_cast<std::size_t>(j)], 0.0f);
      wrong += c[at] != near_diagonal{.width = 3}(value, i, j);
    }
  }
  std::printf("epilogue: %d of %d elements wrong\n", wrong, n * n);
  return wrong == 0 ? 0 : 1;
}
