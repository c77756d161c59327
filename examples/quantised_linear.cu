// SPDX-License-Identifier: BSL-1.0
//! @file
//! A quantised linear layer: fp8 in with a scale each, bias and gelu; bf16 out, or fp8 out with a scale and the
//! greatest magnitude, from which the next scale is made.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/reference.hpp>

#include "device_memory.hpp"

namespace {

constexpr int tokens = 48, features = 272, hidden = 80;

// example-begin
using e4m3 = __nv_fp8_e4m3;
using bf16 = __nv_bfloat16;

/// gelu(in weights^T + bias), the weights hidden x features as in PyTorch's Linear. What was quantised is `in` and
/// `weights` times their scales.
struct quantised_linear {
  e4m3 const *in, *weights;
  float in_scale, weights_scale;
  bf16 const* bias;

  /// As bf16.
  gemm::status run(bf16* out, float* amax) const {
    return product(gemm::row_major(out, tokens, hidden), gemm::amax(amax));
  }

  /// As fp8: times *out_scale, saturated. `amax` is of what has not been scaled, for a later out_scale.
  gemm::status run(e4m3* out, float const* out_scale, float* amax) const {
    return product(gemm::row_major(out, tokens, hidden), gemm::amax(amax) | gemm::scale(out_scale));
  }

  template <class Out, class Epilogue>
  gemm::status product(Out out, Epilogue last) const {
    return gemm::run(gemm::scaled(gemm::row_major(in, tokens, features), in_scale),
                     gemm::scaled(gemm::transposed(gemm::row_major(weights, hidden, features)), weights_scale), out, {},
                     gemm::bias(bias, hidden) | gemm::gelu{} | last);
  }
};
// example-end

/// Random numbers of which the greatest is `range`, as fp8 with this scale.
std::vector<e4m3> quantised(std::size_t count, std::uint32_t seed, float range, float scale) {
  std::vector<e4m3> result;
  for (float const value : example::random_values(count, seed)) {
    result.push_back(e4m3(value * range / scale));
  }
  return result;
}

/// What the layer computes, times out_scale, by a plain loop; magnitudes are for the bound of its error. gelu's slope
/// is at most 1.13.
std::vector<gemm::expected<e4m3>> plain(std::vector<e4m3> const& in, std::vector<e4m3> const& weights, double scale,
                                        std::vector<bf16> const& bias, double out_scale) {
  std::vector<gemm::expected<e4m3>> result;
  for (std::size_t row = 0; row < tokens; ++row) {
    for (std::size_t column = 0; column < hidden; ++column) {
      double const shift = __bfloat162float(bias[column]);
      double sum = 0, magnitude = 0;
      for (std::size_t k = 0; k < features; ++k) {
        double const term = double{float(in[row * features + k])} * double{float(weights[column * features + k])};
        sum += term;
        magnitude += std::abs(term);
      }
      double const value = scale * sum + shift;
      result.push_back({out_scale * 0.5 * value * (1 + std::erf(value / std::sqrt(2.0))),
                        1.2 * out_scale * (scale * magnitude + std::abs(shift))});
    }
  }
  return result;
}

/// The elements that are off by more than the bound. `most`: what is larger becomes it.
template <class Out>
int count_wrong(std::vector<Out> const& got, std::vector<gemm::expected<e4m3>> const& want, double most) {
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const right = std::clamp(want[i].value, -most, most);
    wrong += !(std::abs(double{float(got[i])} - right) <= gemm::error_bound<e4m3, Out>(want[i], features + 9));
  }
  return wrong;
}

/// Whether it is the greatest magnitude, as exactly as the layer computes.
bool is_amax(float amax, std::vector<gemm::expected<e4m3>> const& want) {
  double greatest = 0, bound = 0;
  for (auto const& element : want) {
    greatest = std::max(greatest, std::abs(element.value));
    bound = std::max(bound, gemm::error_bound<e4m3, float>(element, features + 9));
  }
  return std::abs(double{amax} - greatest) <= bound;
}

}  // namespace

int main() {
  constexpr float in_scale = 2.0F / 448, weights_scale = 0.25F / 448;
  auto const in = quantised(tokens * features, 1, 2, in_scale),
             weights = quantised(hidden * features, 2, 0.25F, weights_scale);
  std::vector<bf16> bias;
  for (float const value : example::random_values(hidden, 3)) {
    bias.push_back(__float2bfloat16(value));
  }
  example::device_memory const d_in(in), d_weights(weights), d_small(std::vector<e4m3>(tokens * hidden));
  example::device_memory const d_bias(bias), d_out(std::vector<bf16>(tokens * hidden));
  example::device_memory<float> const d_amax(1), d_out_scale(1);
  quantised_linear const layer{d_in.data(), d_weights.data(), in_scale, weights_scale, d_bias.data()};

  gemm::status status = layer.run(d_out.data(), d_amax.data());
  float const amax = d_amax.values()[0];
  // Beyond the greatest magnitude, so that some elements saturate: a scale of an earlier step may be so.
  float const out_scale = 448 / amax * 1.5F;
  example::require(cudaMemcpy(d_out_scale.data(), &out_scale, sizeof(float), cudaMemcpyHostToDevice));
  status = status ? layer.run(d_small.data(), d_out_scale.data(), d_amax.data()) : status;
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  auto const want = plain(in, weights, double{in_scale} * weights_scale, bias, 1),
             scaled = plain(in, weights, double{in_scale} * weights_scale, bias, out_scale);
  int const wrong = count_wrong(d_out.values(), want, 1e30) + count_wrong(d_small.values(), scaled, 448) +
                    !is_amax(amax, want) + !is_amax(d_amax.values()[0], want);
  std::printf("quantised_linear: %d of %d elements wrong, amax %g\n", wrong, 2 * tokens * hidden + 2,
              static_cast<double>(amax));
  return wrong == 0 ? 0 : 1;
}
