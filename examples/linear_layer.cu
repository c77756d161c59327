// SPDX-License-Identifier: BSL-1.0
//! @file
//! A linear layer in bfloat16 as PyTorch has it: what is chosen for it, with memory of one's own, and as a graph.

#include <cmath>
#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/reference.hpp>

#include "device_memory.hpp"

namespace {

constexpr int tokens = 40, features = 1032, hidden = 72;

// example-begin
using bf16 = __nv_bfloat16;

/// out = gelu(in weights^T + bias) in bfloat16, summed in float, as PyTorch's Linear: all row-major, the weights hidden
/// x features. The value before the activation is kept for the backward pass.
struct linear_layer {
  bf16 const *in, *weights, *bias;
  bf16 *before, *out;

  /// Calls `what` with the arguments of gemm::run().
  template <class What>
  auto with(What what, cudaStream_t stream, gemm::workspace memory) const {
    return what(gemm::row_major(in, tokens, features), gemm::transposed(gemm::row_major(weights, hidden, features)),
                gemm::row_major(out, tokens, hidden), gemm::options<float>{.stream = stream, .workspace = memory},
                gemm::bias(bias, hidden) | gemm::store(gemm::row_major(before, tokens, hidden)) | gemm::gelu{});
  }

  /// The bytes of workspace that run() wants, and what it chooses where it gets them.
  std::size_t bytes() const {
    return with([](auto const&... call) { return gemm::workspace_size(call...); }, nullptr, {});
  }
  gemm::choice chosen(gemm::workspace memory) const {
    return with([](auto const&... call) { return gemm::chosen(call...); }, nullptr, memory);
  }

  gemm::status run(cudaStream_t stream, gemm::workspace memory) const {
    return with([](auto const&... call) { return gemm::run(call...); }, stream, memory);
  }
};

/// The layer as a graph, which may be launched again whenever `in` has other values.
gemm::status capture(linear_layer const& layer, cudaStream_t stream, gemm::workspace memory, cudaGraph_t& graph) {
  example::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  gemm::status const result = layer.run(stream, memory);
  example::require(cudaStreamEndCapture(stream, &graph));
  return result;
}
// example-end

std::vector<bf16> random_elements(std::size_t count, std::uint32_t seed, float range) {
  std::vector<bf16> result;
  for (float const value : example::random_values(count, seed)) {
    result.push_back(__float2bfloat16(value * range));
  }
  return result;
}

/// Elements that are not what a sum in float, rounded to bfloat16, may be.
int count_wrong(std::vector<gemm::expected<bf16>> const& want, std::vector<bf16> const& before,
                std::vector<bf16> const& out) {
  int wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    double const kept = __bfloat162float(before[i]), got = __bfloat162float(out[i]);
    // gelu's slope is at most 1.13, and it is computed in float.
    double const right = 0.5 * want[i].value * (1 + std::erf(want[i].value / std::sqrt(2.0)));
    bool const kept_right = std::abs(kept - want[i].value) <= gemm::error_bound<bf16>(want[i], features + 1);
    bool const got_right = std::abs(got - right) <= 1.2 * gemm::error_bound<bf16>(want[i], features + 9);
    wrong += !kept_right || !got_right;
  }
  return wrong;
}

}  // namespace

int main() {
  auto const in = random_elements(tokens * features, 1, 1), weights = random_elements(hidden * features, 2, 0.25f);
  auto const bias = random_elements(hidden, 3, 1);
  std::vector<bf16> const nothing(tokens * hidden);
  auto want = gemm::reference(gemm::row_major(in.data(), tokens, features),
                              gemm::transposed(gemm::row_major(weights.data(), hidden, features)),
                              gemm::row_major(nothing.data(), tokens, hidden), 1, 0);
  for (std::size_t i = 0; i < want.size(); ++i) {
    double const shift = __bfloat162float(bias[i % hidden]);
    want[i].value += shift;
    want[i].magnitude += std::abs(shift);
  }

  example::device_memory const d_in(in), d_weights(weights), d_bias(bias), d_before(nothing), d_out(nothing);
  linear_layer const layer{d_in.data(), d_weights.data(), d_bias.data(), d_before.data(), d_out.data()};
  std::vector<char> const space(layer.bytes());
  example::device_memory const d_space(space);
  gemm::workspace const memory{d_space.data(), space.size()};
  gemm::choice const choice = layer.chosen(memory);

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  example::require(cudaStreamCreate(&stream));
  gemm::status status = layer.run(stream, memory);
  example::require(cudaStreamSynchronize(stream));
  int wrong = count_wrong(want, d_before.values(), d_out.values());

  d_out.fill(0xff);  // NaN: what is not written shows
  status = status ? capture(layer, stream, memory, graph) : status;
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  example::require(cudaGraphInstantiate(&executable, graph, 0));
  example::require(cudaGraphLaunch(executable, stream));
  example::require(cudaStreamSynchronize(stream));
  wrong += count_wrong(want, d_before.values(), d_out.values());
  example::require(cudaGraphExecDestroy(executable));
  example::require(cudaGraphDestroy(graph));
  example::require(cudaStreamDestroy(stream));

  std::printf("linear_layer: %.*s in %d slices of k, %zu bytes of workspace: %d of %d elements wrong\n",
              static_cast<int>(choice.policy.size()), choice.policy.data(), choice.slices, space.size(), wrong,
              2 * tokens * hidden);
  return wrong == 0 ? 0 : 1;
}
