// SPDX-License-Identifier: BSL-1.0
//! @file
//! A layer of experts: tokens that are sorted by expert, each of which has its own weights; and its gradients. How many
//! tokens an expert has is known to the device alone.

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

// example-begin gradients
/// By the gradient `of_sums` (tokens x hidden) of what stands before relu: that of `in`, by ragged rows, and that of
/// each expert's weights, by a ragged k. An expert without tokens has a gradient of 0.
gemm::status gradients(float const* in, float const* weights, float const* of_sums, std::int32_t const* ends,
                       float* of_in, float* of_weights, cudaStream_t stream) {
  auto const sums = gemm::row_major(of_sums, tokens, hidden);
  gemm::status const result =
      gemm::run(gemm::ragged_rows(sums, ends, experts),
                gemm::batched(gemm::col_major(weights, hidden, features), experts),  // transposed
                gemm::ragged_rows(gemm::row_major(of_in, tokens, features), ends, experts), {.stream = stream});
  return result ? gemm::run(gemm::ragged_columns(gemm::col_major(in, features, tokens), ends, experts),
                            gemm::ragged_rows(sums, ends, experts),
                            gemm::batched(gemm::row_major(of_weights, features, hidden), experts), {.stream = stream})
                : result;
}
// example-end

/// Elements of the gradients that are not what plain loops say. Of rows that belong to nobody -1.
int wrong_gradients(std::vector<float> const& in, std::vector<float> const& weights, std::vector<float> const& of_sums,
                    std::vector<std::int32_t> const& ends, std::vector<float> const& of_in,
                    std::vector<float> const& of_weights) {
  auto const at = [](int row, int columns, int column) { return static_cast<std::size_t>(row * columns + column); };
  std::vector<float> in_expected(of_in.size(), -1.0F), weights_expected(of_weights.size(), 0.0F);
  for (int expert = 0, row = 0; expert < experts; ++expert) {
    for (; row < ends[static_cast<std::size_t>(expert)]; ++row) {
      for (int k = 0; k < features; ++k) {
        float sum = 0;
        for (int j = 0; j < hidden; ++j) {
          sum += of_sums[at(row, hidden, j)] * weights[at(expert * features + k, hidden, j)];
          weights_expected[at(expert * features + k, hidden, j)] +=
              in[at(row, features, k)] * of_sums[at(row, hidden, j)];
        }
        in_expected[at(row, features, k)] = sum;
      }
    }
  }
  int wrong = 0;
  for (std::size_t i = 0; i < of_in.size(); ++i) {
    wrong += of_in[i] == in_expected[i] ? 0 : 1;
  }
  for (std::size_t i = 0; i < of_weights.size(); ++i) {
    wrong += of_weights[i] == weights_expected[i] ? 0 : 1;
  }
  return wrong;
}

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
  std::vector<float> of_sums(out);  // as if the gradient of `out` were 1 where it is above 0, and so on
  for (std::size_t i = 0; i < of_sums.size(); ++i) {
    of_sums[i] = out[i] > 0 ? static_cast<float>(static_cast<int>(i * 3 % 7) - 3) : 0.0F;
  }
  example::device_memory const d_sums(of_sums), d_of_in(std::vector<float>(in.size(), -1.0F)),
      d_of_weights(std::vector<float>(weights.size(), -1.0F));
  gemm::status const backward = gradients(d_in.data(), d_weights.data(), d_sums.data(), d_ends.data(), d_of_in.data(),
                                          d_of_weights.data(), nullptr);
  if (!backward) {
    std::fprintf(stderr, "%s\n", backward.message());
    return 1;
  }
  int const wrong_backward = wrong_gradients(in, weights, of_sums, ends, d_of_in.values(), d_of_weights.values());
  std::printf("%d experts, %d tokens: %d wrong elements, %d of gradients\n", experts, tokens, wrong, wrong_backward);
  return wrong + wrong_backward == 0 ? 0 : 1;
}
