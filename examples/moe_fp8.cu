// SPDX-License-Identifier: BSL-1.0
//! @file
//! A layer of experts in fp8: tokens in e4m3 with a scale for each 128 of a row, weights with one for each 128 x
//! 128. moe.cu has the router and the sum over a token's experts.

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

namespace {

using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;

constexpr int experts = 4, top = 2, hidden = 320, inner = 192, tokens = 50, rows = tokens * top;
constexpr int block = 128, hidden_blocks = (hidden + block - 1) / block, inner_blocks = (inner + block - 1) / block,
              both_blocks = (2 * inner + block - 1) / block;
constexpr float largest = 448;  // of e4m3

/// Quantises rows: a warp has a block of 128 columns, and its scale.
__global__ void __launch_bounds__(32) quantise(bf16 const* from, int columns, e4m3* to, float* scales) {
  int const row = static_cast<int>(blockIdx.y), lane = static_cast<int>(threadIdx.x);
  int const first = static_cast<int>(blockIdx.x) * block, end = first + block < columns ? first + block : columns;
  float most = 0;
  for (int column = first + lane; column < end; column += 32) {
    most = fmaxf(most, fabsf(__bfloat162float(from[row * columns + column])));
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    most = fmaxf(most, __shfl_xor_sync(0xffffffffU, most, distance));
  }
  float const scale = most > 0 ? most / largest : 1;
  for (int column = first + lane; column < end; column += 32) {
    to[row * columns + column] = static_cast<e4m3>(__bfloat162float(from[row * columns + column]) / scale);
  }
  if (lane == 0) {
    scales[row * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x)] = scale;
  }
}

void quantise_rows(bf16 const* from, int count, int columns, e4m3* to, float* scales, cudaStream_t stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>((columns + block - 1) / block), static_cast<unsigned>(count));
  config.blockDim = dim3(32);
  config.stream = stream;
  example::require(cudaLaunchKernelEx(&config, &quantise, from, columns, to, scales));
}

/// A matrix in e4m3 and the scales of its blocks.
struct quantised {
  e4m3 const* data;
  float const* scales;
};

}  // namespace

// example-begin
/// activated = silu(x gate[e]) * (x up[e]) for the rows of each expert e; row i is that of token token_of_row[i]. The
/// weights are column-major; gate_up has the columns of gate and up interleaved. Rows end at ends[e].
gemm::status up(quantised const& x, quantised const& gate_up, std::int32_t const* ends,
                std::int32_t const* token_of_row, bf16* activated, cudaStream_t stream) {
  auto const of_tokens = gemm::per_block<1, 128>(gemm::row_major(x.scales, tokens, hidden_blocks));
  auto const of_weights =
      gemm::per_block<128, 128>(gemm::batched(gemm::col_major(gate_up.scales, hidden_blocks, both_blocks), experts));
  auto const a = gemm::gathered(gemm::scaled(gemm::row_major(x.data, tokens, hidden), of_tokens), token_of_row, rows);
  auto const b = gemm::scaled(gemm::batched(gemm::col_major(gate_up.data, hidden, 2 * inner), experts), of_weights);
  return gemm::run(gemm::ragged_rows(a, ends, experts), b,
                   gemm::ragged_rows(gemm::row_major(activated, rows, inner), ends, experts), {.stream = stream},
                   gemm::gated<gemm::silu>{});
}

/// Row slot_of_row[i] of out = weight_of_row[i] * (row i of activated) down[e].
gemm::status down(quantised const& activated, quantised const& weights, std::int32_t const* ends,
                  std::int32_t const* slot_of_row, float const* weight_of_row, bf16* out, cudaStream_t stream) {
  auto const of_rows = gemm::per_block<1, 128>(gemm::row_major(activated.scales, rows, inner_blocks));
  auto const of_weights =
      gemm::per_block<128, 128>(gemm::batched(gemm::col_major(weights.scales, inner_blocks, hidden_blocks), experts));
  auto const a = gemm::scaled(gemm::row_major(activated.data, rows, inner), of_rows);
  auto const b = gemm::scaled(gemm::batched(gemm::col_major(weights.data, inner, hidden), experts), of_weights);
  auto const c = gemm::scattered(gemm::row_major(out, rows, hidden), slot_of_row, rows);
  return gemm::run(gemm::ragged_rows(a, ends, experts), b, gemm::ragged_rows(c, ends, experts), {.stream = stream},
                   gemm::row_scale(weight_of_row));
}
// example-end

namespace {

/// Values on the host in e4m3, with scales: rows, or of weights columns, of `length` elements.
struct host_matrix {
  int length;
  std::vector<e4m3> data;
  std::vector<float> scales;

  /// Of a matrix whose rows have scales of their own.
  float at(int row, int k) const {
    int const blocks = (length + block - 1) / block;
    return static_cast<float>(data[static_cast<std::size_t>(row * length + k)]) *
           scales[static_cast<std::size_t>(row * blocks + k / block)];
  }
};

/// Weights of all experts, each `count` columns of `length` elements.
host_matrix quantised_weights(int count, int length, std::uint32_t seed) {
  int const blocks = (length + block - 1) / block, of_columns = (count + block - 1) / block;
  std::vector<float> const values = example::random_values(static_cast<std::size_t>(experts * count * length), seed);
  host_matrix result{length, std::vector<e4m3>(values.size()),
                     std::vector<float>(static_cast<std::size_t>(experts * of_columns * blocks))};
  for (int expert = 0; expert < experts; ++expert) {
    for (int i = 0; i < of_columns * blocks; ++i) {
      float most = 0;
      auto const for_each = [&](auto const& use) {
        for (int j = i / blocks * block; j < std::min((i / blocks + 1) * block, count); ++j) {
          for (int k = i % blocks * block; k < std::min((i % blocks + 1) * block, length); ++k) {
            use(static_cast<std::size_t>((expert * count + j) * length + k));
          }
        }
      };
      for_each([&](std::size_t element) { most = std::max(most, std::abs(values[element])); });
      for_each(
          [&](std::size_t element) { result.data[element] = static_cast<e4m3>(values[element] / (most / largest)); });
      result.scales[static_cast<std::size_t>(expert * of_columns * blocks + i)] = most / largest;
    }
  }
  return result;
}

/// An element of an expert's weights. Experts' blocks begin anew.
float weight_at(host_matrix const& m, int count, int expert, int column, int k) {
  int const blocks = (m.length + block - 1) / block, of_columns = (count + block - 1) / block;
  return static_cast<float>(m.data[static_cast<std::size_t>((expert * count + column) * m.length + k)]) *
         m.scales[static_cast<std::size_t>((expert * of_columns + column / block) * blocks + k / block)];
}

/// The relative error of a matrix, which a NaN makes NaN.
class comparison {
 public:
  void add(double found, double expected) {
    errors_ += (found - expected) * (found - expected);
    squares_ += expected * expected;
  }
  bool is_below(double limit, char const* what) const {
    double const relative = std::sqrt(errors_ / squares_);
    std::printf("%s: relative error %.1e\n", what, relative);
    return relative < limit;
  }

 private:
  double errors_ = 0, squares_ = 0;
};

/// Each token's choices, different ones, sorted by expert.
struct routes {
  std::vector<std::int32_t> ends, token_of_row, slot_of_row;
  std::vector<float> weight_of_row;

  routes() {
    auto const expert_of = [](std::int32_t slot) { return (slot / top * 3 + slot % top * 2 + slot / 7) % experts; };
    slot_of_row.resize(rows);
    std::iota(slot_of_row.begin(), slot_of_row.end(), 0);
    std::stable_sort(slot_of_row.begin(), slot_of_row.end(),
                     [&](std::int32_t a, std::int32_t b) { return expert_of(a) < expert_of(b); });
    ends.resize(experts);
    for (std::int32_t const slot : slot_of_row) {
      for (int expert = expert_of(slot); expert < experts; ++expert) {
        ++ends[static_cast<std::size_t>(expert)];
      }
      token_of_row.push_back(slot / top);
      weight_of_row.push_back(0.25F + static_cast<float>(slot % 5) / 8);
    }
  }
  int expert(int row) const { return static_cast<int>(std::upper_bound(ends.begin(), ends.end(), row) - ends.begin()); }
};

}  // namespace

int main() {
  routes const to;
  host_matrix const gate_up = quantised_weights(2 * inner, hidden, 2), of_down = quantised_weights(hidden, inner, 3);
  std::vector<bf16> x;
  for (float const value : example::random_values(static_cast<std::size_t>(tokens * hidden), 1)) {
    x.push_back(__float2bfloat16(value));
  }
  example::device_memory const d_x(x);
  example::device_memory const d_gate_up(gate_up.data), d_down(of_down.data);
  example::device_memory const d_gate_up_scales(gate_up.scales), d_down_scales(of_down.scales);
  example::device_memory const d_ends(to.ends), d_tokens(to.token_of_row), d_slots(to.slot_of_row);
  example::device_memory const d_weights(to.weight_of_row);
  example::device_memory<e4m3> const d_x8(x.size()), d_activated8(rows * inner);
  example::device_memory<float> const d_x_scales(tokens * hidden_blocks), d_activated_scales(rows * inner_blocks);
  example::device_memory<bf16> const d_activated(rows * inner), d_out(rows * hidden);
  d_out.fill(0xff);

  quantise_rows(d_x.data(), tokens, hidden, d_x8.data(), d_x_scales.data(), nullptr);
  gemm::status status = up({d_x8.data(), d_x_scales.data()}, {d_gate_up.data(), d_gate_up_scales.data()}, d_ends.data(),
                           d_tokens.data(), d_activated.data(), nullptr);
  if (status) {
    quantise_rows(d_activated.data(), rows, inner, d_activated8.data(), d_activated_scales.data(), nullptr);
    status = down({d_activated8.data(), d_activated_scales.data()}, {d_down.data(), d_down_scales.data()},
                  d_ends.data(), d_slots.data(), d_weights.data(), d_out.data(), nullptr);
  }
  if (!status) {
    std::fprintf(stderr, "%s\n", status.message());
    return 1;
  }

  host_matrix const x8{hidden, d_x8.values(), d_x_scales.values()},
      activated8{inner, d_activated8.values(), d_activated_scales.values()};
  std::vector<bf16> const activated = d_activated.values(), out = d_out.values();
  auto const at = [](std::vector<bf16> const& m, int columns, int row, int column) {
    return static_cast<double>(__bfloat162float(m[static_cast<std::size_t>(row * columns + column)]));
  };
  comparison of_up, of_quantised, of_out;
  for (int row = 0; row < rows; ++row) {
    auto const i = static_cast<std::size_t>(row);
    for (int j = 0; j < inner; ++j) {
      double both[2] = {};
      for (int k = 0; k < hidden; ++k) {
        for (int side = 0; side < 2; ++side) {
          both[side] += static_cast<double>(x8.at(to.token_of_row[i], k)) *
                        static_cast<double>(weight_at(gate_up, 2 * inner, to.expert(row), 2 * j + side, k));
        }
      }
      of_up.add(at(activated, inner, row, j), both[0] / (1 + std::exp(-both[0])) * both[1]);
      of_quantised.add(static_cast<double>(activated8.at(row, j)), at(activated, inner, row, j));
    }
    for (int j = 0; j < hidden; ++j) {
      double sum = 0;
      for (int k = 0; k < inner; ++k) {
        sum += static_cast<double>(activated8.at(row, k)) *
               static_cast<double>(weight_at(of_down, hidden, to.expert(row), j, k));
      }
      of_out.add(at(out, hidden, to.slot_of_row[i], j), sum * static_cast<double>(to.weight_of_row[i]));
    }
  }
  // The last bit of bf16, the rounding of fp8.
  bool const up_is_right = of_up.is_below(0.004, "silu(x gate) * (x up)"),
             quantised_is_right = of_quantised.is_below(0.04, "that in e4m3"),
             down_is_right = of_out.is_below(0.004, "that times down");
  return up_is_right && quantised_is_right && down_is_right ? 0 : 1;
}
