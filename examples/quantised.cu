// SPDX-License-Identifier: BSL-1.0
//! @file
//! A quantised layer: int8 by int8, with a scale of each row and column.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

namespace {

// Nothing is a multiple of a tile or of 16 bytes.
constexpr int tokens = 75, features = 131, hidden = 67;

// example-begin
/// int8 times int8, summed exactly in int32, scaled by a factor of each token and one of each column, and rounded to
/// int8; what does not fit saturates.
gemm::status quantised(std::int8_t const* in, std::int8_t const* weights, float const* of_token, float const* of_column,
                       std::int8_t* out) {
  return gemm::run(gemm::row_major(in, tokens, features), gemm::row_major(weights, features, hidden),
                   gemm::row_major(out, tokens, hidden), {},
                   gemm::row_scale(of_token, tokens) | gemm::column_scale(of_column, hidden));
}
// example-end

std::vector<std::int8_t> random_elements(std::size_t count, std::uint32_t seed) {
  std::vector<std::int8_t> result;
  for (float const value : example::random_values(count, seed)) {
    result.push_back(static_cast<std::int8_t>(value * 127));
  }
  return result;
}

}  // namespace

int main() {
  auto const in = random_elements(tokens * features, 1);
  auto const weights = random_elements(features * hidden, 2);
  // Powers of two, so that the expected result is exact.
  std::vector<float> of_token(tokens), of_column(hidden);
  for (std::size_t i = 0; i < of_token.size(); ++i) {
    of_token[i] = std::ldexp(1.0f, -6 - static_cast<int>(i % 5));
  }
  for (std::size_t j = 0; j < of_column.size(); ++j) {
    of_column[j] = std::ldexp(1.0f, -static_cast<int>(j % 3));
  }
  example::device_memory const d_in(in), d_weights(weights), d_out(std::vector<std::int8_t>(tokens * hidden));
  example::device_memory const d_of_token(of_token), d_of_column(of_column);
  gemm::status const status =
      quantised(d_in.data(), d_weights.data(), d_of_token.data(), d_of_column.data(), d_out.data());
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  auto const out = d_out.values();
  int wrong = 0;
  for (std::size_t row = 0; row < tokens; ++row) {
    for (std::size_t column = 0; column < hidden; ++column) {
      int sum = 0;
      for (std::size_t k = 0; k < features; ++k) {
        sum += in[row * features + k] * weights[k * hidden + column];
      }
      double const scaled = std::rint(sum * static_cast<double>(of_token[row]) * of_column[column]);
      wrong += out[row * hidden + column] != (scaled < -128 ? -128 : scaled > 127 ? 127 : scaled);
    }
  }
  std::printf("quantised: %d of %zu elements wrong\n", wrong, out.size());
  return wrong == 0 ? 0 : 1;
}
