// SPDX-License-Identifier: BSL-1.0
//! @file
//! A layer of a transformer, out = relu(in W + bias), by three policies: timed and checked.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/reference.hpp>

#include "device_memory.hpp"

namespace {

#if defined(__CUDACC__)
constexpr int tokens = 2047, features = 4096, hidden = 11003;  // ragged: no multiple of any tile
#else
constexpr int tokens = 253, features = 256, hidden = 515;  // the CPU device is ten thousand times slower
#endif

// example-begin
/// out (tokens x hidden) = relu(in (tokens x features) weights (features x hidden) + bias), all row-major.
template <class Policy>
gemm::status layer(float const* in, float const* weights, float const* bias, float* out, cudaStream_t stream) {
  return gemm::run<Policy>(gemm::row_major(in, tokens, features), gemm::row_major(weights, features, hidden),
                           gemm::row_major(out, tokens, hidden), {.stream = stream},
                           gemm::bias(bias, hidden) | gemm::relu{});
}
// example-end

/// What a correct layer gives for a few of its rows, and how far off it may be.
class check {
 public:
  check(std::vector<float> const& in, std::vector<float> const& weights, std::vector<float> const& bias) : bias_(bias) {
    for (int i = 0; i < rows; ++i) {
      std::copy_n(in.begin() + row(i) * features, features, std::back_inserter(in_));
    }
    std::vector<float> unused(rows * hidden);
    want_ =
        gemm::reference(gemm::row_major(in_.data(), rows, features), gemm::row_major(weights.data(), features, hidden),
                        gemm::row_major(unused.data(), rows, hidden), 1, 0);
  }

  /// The largest error over what a sum of `features` products in float may be off; right if it is at most 1.
  double worst(std::vector<float> const& out) const {
    double worst = 0;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < hidden; ++j) {
        auto e = want_[static_cast<std::size_t>(i * hidden + j)];
        e.value = std::max(e.value + bias_[static_cast<std::size_t>(j)], 0.0);
        e.magnitude += std::abs(bias_[static_cast<std::size_t>(j)]);
        double const error = std::abs(out[static_cast<std::size_t>(row(i) * hidden + j)] - e.value);
        double const share = error / gemm::error_bound(e, features + 1);
        worst = share <= worst ? worst : share;  // a NaN stays
      }
    }
    return worst;
  }

 private:
  static constexpr int rows = 16;
  static int row(int i) { return i * (tokens - 1) / (rows - 1); }  // from the first to the last

  std::vector<float> in_, bias_;
  std::vector<gemm::expected<float>> want_;
};

}  // namespace

int main() {
  auto const in = example::random_values(tokens * features, 1);
  auto const weights = example::random_values(features * hidden, 2);
  auto const bias = example::random_values(hidden, 3);
  example::device_memory const d_in(in), d_weights(weights), d_bias(bias), d_out(std::vector<float>(tokens * hidden));
  check const reference(in, weights, bias);

  std::printf("relu(in W + bias): %d x %d by %d x %d, float, on %s\n", tokens, features, features, hidden,
              example::device_name().c_str());
  bool right = true;
  auto const row = [&]<class Policy>() {
    auto const run = [&] { return layer<Policy>(d_in.data(), d_weights.data(), d_bias.data(), d_out.data(), nullptr); };
    d_out.fill(0xff);  // NaN: what is not written shows
    gemm::status const status = run();
    if (!status) {
      std::printf("%s\n", status.message());
      right = false;
      return;
    }
    double const worst = reference.worst(d_out.values());
    right = right && worst <= 1;
    double const seconds = example::best_seconds(run);
    auto name = gemm::name<Policy>();
    if constexpr (std::is_same_v<Policy, gemm::automatic>) {
      name = gemm::chosen(gemm::row_major(d_in.data(), tokens, features),
                          gemm::row_major(d_weights.data(), features, hidden),
                          gemm::row_major(d_out.data(), tokens, hidden))
                 .policy;
    }
    std::printf("%-24.*s %10.3f ms %8.3f TFLOP/s   error %.3f of the bound, %s\n", static_cast<int>(name.size()),
                name.data(), seconds * 1e3, 2.0 * tokens * features * hidden / seconds * 1e-12, worst,
                worst <= 1 ? "right" : "WRONG");
  };
  row.operator()<gemm::shared_tile_32x32x32>();
  row.operator()<gemm::warp_tile_128x128x16>();
  row.operator()<gemm::automatic>();
  return right ? 0 : 1;
}
