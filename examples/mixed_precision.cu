// SPDX-License-Identifier: BSL-1.0
//! @file
//! Narrow elements: a layer in half precision with a second output for training, and a quantised layer.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/reference.hpp>

#include "device_memory.hpp"

namespace {

// Nothing is a multiple of a tile or of 16 bytes.
constexpr int tokens = 75, features = 131, hidden = 67;

// example-begin
/// out = gelu(in weights + bias) in half, summed in float; the value before the activation is kept for the backward
/// pass, in bfloat16.
gemm::status forward(__half const* in, __half const* weights, float const* bias, __nv_bfloat16* before, __half* out) {
  return gemm::run(gemm::row_major(in, tokens, features), gemm::row_major(weights, features, hidden),
                   gemm::row_major(out, tokens, hidden), {},
                   gemm::bias(bias, hidden) | gemm::store(gemm::row_major(before, tokens, hidden)) | gemm::gelu{});
}

/// int8 times int8, summed exactly in int32, scaled by a factor of each token and one of each column, and rounded to
/// int8; what does not fit saturates.
gemm::status quantised(std::int8_t const* in, std::int8_t const* weights, float const* of_token, float const* of_column,
                       std::int8_t* out) {
  return gemm::run(gemm::row_major(in, tokens, features), gemm::row_major(weights, features, hidden),
                   gemm::row_major(out, tokens, hidden), {},
                   gemm::row_scale(of_token, tokens) | gemm::column_scale(of_column, hidden));
}
// example-end

/// Random elements of another type.
template <class T>
std::vector<T> random_elements(std::size_t count, std::uint32_t seed, float range) {
  std::vector<T> result;
  for (float const value : example::random_values(count, seed)) {
    result.push_back(gemm::detail::convert<T>(value * range));
  }
  return result;
}

int wrong_forward() {
  auto const in = random_elements<__half>(tokens * features, 1, 1);
  auto const weights = random_elements<__half>(features * hidden, 2, 0.25f);
  std::vector<float> const bias = example::random_values(hidden, 3);
  std::vector<__half> out(tokens * hidden);
  example::device_memory const d_in(in), d_weights(weights), d_out(out);
  example::device_memory const d_bias(bias);
  example::device_memory const d_before(std::vector<__nv_bfloat16>(tokens * hidden));
  gemm::status const status = forward(d_in.data(), d_weights.data(), d_bias.data(), d_before.data(), d_out.data());
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  auto want =
      gemm::reference(gemm::row_major(in.data(), tokens, features), gemm::row_major(weights.data(), features, hidden),
                      gemm::row_major(out.data(), tokens, hidden), 1, 0);
  auto const before = d_before.values();
  out = d_out.values();
  int wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    double const shift = bias[i % hidden];
    want[i].value += shift;
    want[i].magnitude += std::abs(shift);
    double const kept = __bfloat162float(before[i]), got = __half2float(out[i]);
    bool const kept_right =
        std::abs(kept - want[i].value) <= gemm::error_bound<__half, __nv_bfloat16>(want[i], features + 1);
    // gelu's slope is at most 1.13, and it is computed in float.
    double const right = 0.5 * want[i].value * (1 + std::erf(want[i].value / std::sqrt(2.0)));
    bool const got_right = std::abs(got - right) <= 1.2 * gemm::error_bound<__half>(want[i], features + 9);
    wrong += !kept_right || !got_right;
  }
  return wrong;
}

int wrong_quantised() {
  auto const in = random_elements<std::int8_t>(tokens * features, 4, 127);
  auto const weights = random_elements<std::int8_t>(features * hidden, 5, 127);
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
  return wrong;
}

}  // namespace

int main() {
  int const half = wrong_forward(), integer = wrong_quantised();
  std::printf("mixed_precision: %d and %d of %d elements wrong\n", half, integer, tokens * hidden);
  return half == 0 && integer == 0 ? 0 : 1;
}
