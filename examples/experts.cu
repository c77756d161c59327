// SPDX-License-Identifier: BSL-1.0
//! @file
//! A layer of experts: tokens that are sorted by expert, each of which has its own weights. How many tokens an expert
//! has is known to the device alone.

#include <cstdint>
#include <cstdio>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

namespace {

constexpr int experts = 4, tokens = 90, features = 36, hidden = 28;

}  // namespace

// example-begin
/// out (tokens x hidden) = relu(in weights[e] + bias[e]) for the tokens of each expert e: those from ends[e - 1] to
/// before ends[e]. Rows of `out` behind the last end are left as they are.
struct bias_of_expert {
  float const* bias;  // experts x hidden

  __host__ __device__ float operator()(float value, std::int64_t, std::int64_t column, std::int64_t expert) const {
    return value + bias[expert * hidden + column];
  }
};

gemm::status layer(float const* in, float const* weights, float const* bias, std::int32_t const* ends, float* out,
                   cudaStream_t stream) {
  return gemm::run(gemm::ragged_rows(gemm::row_major(in, tokens, features), ends, experts),
                   gemm::batched(gemm::row_major(weights, features, hidden), experts),
                   gemm::ragged_rows(gemm::row_major(out, tokens, hidden), ends, experts), {.stream = stream},
                   bias_of_expert{bias} | gemm::relu{});
}
// example-end

int main() {
  std::vector<std::int32_t> const ends{40, 40, 47, 80};  // the second has no tokens, the last ten belong to nobody
  std::vector<float> in(tokens * features), weights(experts * features * hidden), bias(experts * hidden);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(static_cast<int>(i * 5 % 11) - 5);
  }
  for (std::size_t i = 0; i < bias.size(); ++i) {
    bias[i] = static_cast<float>(i % 3);
  }
  example::device_memory const d_in(in), d_weights(weights), d_bias(bias);
  example::device_memory const d_ends(ends);
  example::device_memory const d_out(std::vector<float>(tokens * hidden, -1.0F));
  gemm::status const status = layer(d_in.data(), d_weights.data(), d_bias.data(), d_ends.data(), d_out.data(), nullptr);
  if (!status) {
    std::fprintf(stderr, "%s\n", status.message());
    return 1;
  }
  std::vector<float> const out = d_out.values();
  int wrong = 0, row = 0;
  for (int expert = 0; expert < experts; ++expert) {
    for (; row < ends[static_cast<std::size_t>(expert)]; ++row) {
      for (int j = 0; j < hidden; ++j) {
        float sum = bias[static_cast<std::size_t>(expert * hidden + j)];
        for (int k = 0; k < features; ++k) {
          sum += in[static_cast<std::size_t>(row * features + k)] *
                 weights[static_cast<std::size_t>((expert * features + k) * hidden + j)];
        }
        wrong += out[static_cast<std::size_t>(row * hidden + j)] == (sum > 0 ? sum : 0) ? 0 : 1;
      }
    }
  }
  for (; row < tokens; ++row) {
    for (int j = 0; j < hidden; ++j) {
      wrong += out[static_cast<std::size_t>(row * hidden + j)] == -1.0F ? 0 : 1;
    }
  }
  std::printf("%d experts, %d tokens: %d wrong elements\n", experts, tokens, wrong);
  return wrong == 0 ? 0 : 1;
}
