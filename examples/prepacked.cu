// SPDX-License-Identifier: BSL-1.0
//! @file
//! Weights that are split into terms once, for products of floats on tensor cores.

#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

namespace {

constexpr int tokens = 70, features = 130, hidden = 90, steps = 3;

}  // namespace

// example-begin
/// The weights (features x hidden), to be split into terms in this memory.
auto split_terms(float const* weights, gemm::workspace memory) {
  return gemm::prepacked_b(gemm::row_major(weights, features, hidden), memory);
}

/// outs[i] (tokens x hidden) = ins[i] (tokens x features) weights, one after the other. `memory` has as many bytes as
/// prepacked_size(split_terms(weights, {})) says.
gemm::status layers(std::vector<float const*> const& ins, float const* weights, gemm::workspace memory,
                    std::vector<float*> const& outs, cudaStream_t stream) {
  auto const parts = split_terms(weights, memory);
  gemm::status result = gemm::prepack(parts, stream);
  for (std::size_t i = 0; result && i < ins.size(); ++i) {
    result = gemm::run<gemm::fp32_emulated>(gemm::row_major(ins[i], tokens, features), parts,
                                            gemm::row_major(outs[i], tokens, hidden), {.stream = stream});
  }
  return result;
}
// example-end

int main() {
  std::vector<float> in(tokens * features), weights(features * hidden), out(tokens * hidden);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(static_cast<int>(i * 5 % 11) - 5);
  }
  example::device_memory const d_in(in), d_weights(weights), d_out(out);
  std::size_t const bytes = prepacked_size(split_terms(d_weights.data(), {}));
  example::device_memory const d_parts{std::vector<char>(bytes)};
  gemm::status const status = layers(std::vector<float const*>(steps, d_in.data()), d_weights.data(),
                                     {d_parts.data(), bytes}, std::vector<float*>(steps, d_out.data()), nullptr);
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  out = d_out.values();
  int wrong = 0;
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < hidden; ++j) {
      float want = 0;
      for (int l = 0; l < features; ++l) {
        want += in[static_cast<std::size_t>(i * features + l)] * weights[static_cast<std::size_t>(l * hidden + j)];
      }
      wrong += out[static_cast<std::size_t>(i * hidden + j)] != want;
    }
  }
  std::printf("prepacked: %d of %zu elements wrong\n", wrong, out.size());
  return wrong == 0 ? 0 : 1;
}
