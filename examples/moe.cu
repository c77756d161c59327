// SPDX-License-Identifier: BSL-1.0
//! @file
//! A layer of a mixture of experts: each token goes to `top` experts, whose results are summed with the router's
//! weights. All on the device: who has how many tokens the host never knows.
//!
//!     moe [small | mixtral | deepseek-v3 | qwen3-30b] [tokens]

#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "device_memory.hpp"

namespace {

using bf16 = __nv_bfloat16;

constexpr int threads = 512;

/// Sorts the router's choices, tokens x top of them, by expert: block e those of expert e, in the order of the tokens.
/// No atomics, so that rows have the same order in every run.
__global__ void __launch_bounds__(threads)
    sort_by_expert(std::int32_t const* chosen, float const* weights, int count, int top, std::int32_t* ends,
                   std::int32_t* token_of_row, std::int32_t* slot_of_row, float* weight_of_row) {
  __shared__ int before[threads], own[threads];  // choices of experts before this one, and of this one
  int const expert = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  int const share = (count + threads - 1) / threads, first = thread * share;
  int const end = first + share < count ? first + share : count;
  int less = 0, equal = 0;
  for (int i = first; i < end; ++i) {
    less += chosen[i] < expert ? 1 : 0;
    equal += chosen[i] == expert ? 1 : 0;
  }
  before[thread] = less;
  own[thread] = equal;
  for (int distance = 1; distance < threads; distance *= 2) {  // sums of the threads up to each
    __syncthreads();
    int const of_others = thread >= distance ? before[thread - distance] : 0,
              own_of_others = thread >= distance ? own[thread - distance] : 0;
    __syncthreads();
    before[thread] += of_others;
    own[thread] += own_of_others;
  }
  __syncthreads();
  int const begin = before[threads - 1];
  int row = begin + own[thread] - equal;
  for (int i = first; i < end; ++i) {
    if (chosen[i] == expert) {
      token_of_row[row] = i / top;
      slot_of_row[row] = i;
      weight_of_row[row] = weights[i];
      ++row;
    }
  }
  if (thread == 0) {
    ends[expert] = begin + own[threads - 1];
  }
}

/// out (tokens x columns) is the sum of `top` rows each, always in the same order. Of pairs of columns; blocks along y
/// share the tokens.
__global__ void __launch_bounds__(threads)
    sum_of_slots(__nv_bfloat162 const* slots, int tokens, int top, int pairs, __nv_bfloat162* out) {
  int const pair = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  for (int token = static_cast<int>(blockIdx.y); pair < pairs && token < tokens; token += static_cast<int>(gridDim.y)) {
    float2 sum{0, 0};
    for (int slot = 0; slot < top; ++slot) {
      float2 const of_slot = __bfloat1622float2(slots[(std::int64_t{token} * top + slot) * pairs + pair]);
      sum.x += of_slot.x;
      sum.y += of_slot.y;
    }
    out[std::int64_t{token} * pairs + pair] = __float22bfloat162_rn(sum);
  }
}

/// Element i of a matrix, the same on host and device: within +-scale.
__host__ __device__ bf16 element(std::uint64_t seed, std::int64_t i, float scale) {
  return __float2bfloat16(gemm::uniform_from<float>(gemm::random_bits(seed, static_cast<std::uint64_t>(i))) * scale);
}
__global__ void __launch_bounds__(threads) fill(bf16* data, std::int64_t count, std::uint64_t seed, float scale) {
  std::int64_t const step = std::int64_t{gridDim.x} * threads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < count; i += step) {
    data[i] = element(seed, i, scale);
  }
}

template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, cudaStream_t stream, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

/// A layer's sizes.
struct shape {
  char const* name;
  int experts, top, hidden, inner, tokens;
};
constexpr shape shapes[] = {{"small", 6, 2, 64, 40, 45},
                            {"mixtral", 8, 2, 4096, 14336, 4096},
                            {"deepseek-v3", 256, 8, 7168, 2048, 4096},
                            {"qwen3-30b", 128, 8, 2048, 768, 32768}};

/// A layer on the device. A row is a choice of a token; sorted, rows of an expert follow each other.
struct layer {
  shape of;
  bf16 const *x, *gate_up, *down;  // tokens x hidden; of experts, column-major: hidden x 2 inner, inner x hidden
  std::int32_t const* chosen;      // expert of each token's choices, tokens x top
  float const* weights;            // and its weight
  std::int32_t *ends, *token_of_row, *slot_of_row;  // of the sorted rows
  float* weight_of_row;
  bf16 *activated, *slots, *out;  // rows x inner, rows x hidden, tokens x hidden
};

}  // namespace

// example-begin
/// out = the sum over a token's experts e of weight * (silu(x gate[e]) * (x up[e])) down[e]. gate_up has the columns of
/// gate and up of each expert, interleaved.
gemm::status multiply_experts(layer const& l, cudaStream_t stream) {
  auto const [name, experts, top, hidden, inner, tokens] = l.of;
  int const rows = tokens * top;
  auto const on = [&](auto const& view) { return gemm::ragged_rows(view, l.ends, experts); };
  auto const x = gemm::gathered(gemm::row_major(l.x, tokens, hidden), l.token_of_row, rows);
  auto const gate_up = gemm::batched(gemm::col_major(l.gate_up, hidden, 2 * inner), experts);
  auto const activated = gemm::row_major(l.activated, rows, inner);
  gemm::status const result = gemm::run(on(x), gate_up, on(activated), {.stream = stream}, gemm::gated<gemm::silu>{});
  if (!result) {
    return result;
  }
  auto const down = gemm::batched(gemm::col_major(l.down, inner, hidden), experts);
  auto const slots = gemm::scattered(gemm::row_major(l.slots, rows, hidden), l.slot_of_row, rows);
  return gemm::run(on(activated), down, on(slots), {.stream = stream}, gemm::row_scale(l.weight_of_row));
}
// example-end

namespace {

gemm::status run_layer(layer const& l, cudaStream_t stream) {
  auto const [name, experts, top, hidden, inner, tokens] = l.of;
  example::require(launch(&sort_by_expert, dim3(static_cast<unsigned>(experts)), stream, l.chosen, l.weights,
                          tokens * top, top, l.ends, l.token_of_row, l.slot_of_row, l.weight_of_row));
  gemm::status const result = multiply_experts(l, stream);
  if (result) {
    auto const blocks = static_cast<unsigned>((hidden / 2 + threads - 1) / threads);
    example::require(launch(&sum_of_slots, dim3(blocks, static_cast<unsigned>(std::min(tokens, 65535))), stream,
                            reinterpret_cast<__nv_bfloat162 const*>(l.slots), tokens, top, hidden / 2,
                            reinterpret_cast<__nv_bfloat162*>(l.out)));
  }
  return result;
}

/// The router's choices: different experts for each token, the first more often than the last.
void choose_experts(shape const& of, std::vector<std::int32_t>& chosen, std::vector<float>& weights) {
  gemm::random_numbers random(7);
  for (int token = 0; token < of.tokens; ++token) {
    float sum = 0;
    for (int slot = 0; slot < of.top; ++slot) {
      auto const begin = chosen.end() - slot;
      std::int32_t expert = 0;
      do {
        expert = static_cast<std::int32_t>(std::min(random.integer(0, of.experts - 1), random.integer(0, of.experts)));
      } while (std::find(begin, chosen.end(), expert) != chosen.end());
      chosen.push_back(expert);
      weights.push_back(static_cast<float>(random.integer(1, 100)));
      sum += weights.back();
    }
    for (int slot = 0; slot < of.top; ++slot) {
      weights[weights.size() - 1 - static_cast<std::size_t>(slot)] /= sum;
    }
  }
}

constexpr std::uint64_t seed_x = 1, seed_gate_up = 2, seed_down = 3;

/// The layer of some tokens by plain loops, rounded where the device rounds: whether `out` is as near as it must be.
bool check(shape const& of, std::vector<std::int32_t> const& chosen, std::vector<float> const& weights, float scale_up,
           float scale_down, std::vector<bf16> const& out) {
  double const products = 3.0 * of.top * of.hidden * of.inner;  // of a token; a host has seconds for so many
  int const checked = static_cast<int>(std::clamp(2e9 / products, 1.0, std::min(45.0, double{1} * of.tokens))),
            step = of.tokens / checked;
  auto const value = [](std::uint64_t seed, std::int64_t i, float scale) {
    return __bfloat162float(element(seed, i, scale));
  };
  auto const rounded = [](float x) { return __bfloat162float(__float2bfloat16(x)); };
  double errors = 0, squares = 0;
  std::int64_t wrong = 0;
  std::vector<float> x(static_cast<std::size_t>(of.hidden)), activated(static_cast<std::size_t>(of.inner));
  for (std::int64_t token = 0; token < of.tokens; token += step) {
    std::vector<double> sum(static_cast<std::size_t>(of.hidden)), magnitude(sum);
    for (std::int64_t i = 0; i < of.hidden; ++i) {
      x[static_cast<std::size_t>(i)] = value(seed_x, token * of.hidden + i, 1);
    }
    for (int slot = 0; slot < of.top; ++slot) {
      auto const choice = static_cast<std::size_t>(token * of.top + slot);
      std::int64_t const expert = chosen[choice];
      for (std::int64_t j = 0; j < of.inner; ++j) {
        float both[2] = {};
        for (std::int64_t column = 2 * j; column < 2 * j + 2; ++column) {
          for (std::int64_t i = 0; i < of.hidden; ++i) {
            both[column % 2] += x[static_cast<std::size_t>(i)] *
                                value(seed_gate_up, (expert * 2 * of.inner + column) * of.hidden + i, scale_up);
          }
        }
        activated[static_cast<std::size_t>(j)] = rounded(both[0] / (1 + std::exp(-both[0])) * both[1]);
      }
      for (std::int64_t j = 0; j < of.hidden; ++j) {
        float result = 0, of_terms = 0;
        for (std::int64_t i = 0; i < of.inner; ++i) {
          float const term = activated[static_cast<std::size_t>(i)] *
                             value(seed_down, (expert * of.hidden + j) * of.inner + i, scale_down);
          result += term;
          of_terms += std::abs(term);
        }
        sum[static_cast<std::size_t>(j)] += static_cast<double>(rounded(result * weights[choice]));
        magnitude[static_cast<std::size_t>(j)] += static_cast<double>(of_terms * weights[choice]);
      }
    }
    for (std::int64_t j = 0; j < of.hidden; ++j) {
      auto const found = static_cast<double>(__bfloat162float(out[static_cast<std::size_t>(token * of.hidden + j)]));
      double const error = found - sum[static_cast<std::size_t>(j)];
      wrong += std::abs(error) <= 0x3p-8 * magnitude[static_cast<std::size_t>(j)] ? 0 : 1;  // three roundings to bf16
      errors += error * error;
      squares += sum[static_cast<std::size_t>(j)] * sum[static_cast<std::size_t>(j)];
    }
  }
  double const relative = std::sqrt(errors / squares);
  std::printf("moe %s: %d tokens, top %d of %d experts: %lld wrong elements, relative error %.1e\n", of.name, of.tokens,
              of.top, of.experts, static_cast<long long>(wrong), relative);
  return wrong == 0 && relative < 0.01;  // a NaN is not
}

int run_shape(shape const& of) {
  auto const rows = static_cast<std::size_t>(of.tokens) * static_cast<std::size_t>(of.top),
             hidden = static_cast<std::size_t>(of.hidden), inner = static_cast<std::size_t>(of.inner),
             experts = static_cast<std::size_t>(of.experts), tokens = static_cast<std::size_t>(of.tokens);
  std::vector<std::int32_t> chosen;
  std::vector<float> weights;
  choose_experts(of, chosen, weights);
  float const scale_up = 3 / std::sqrt(static_cast<float>(hidden)),
              scale_down = 3 / std::sqrt(static_cast<float>(inner));
  example::device_memory<bf16> const x(tokens * hidden), gate_up(experts * hidden * 2 * inner),
      down(experts * inner * hidden);
  auto const set = [](bf16* data, std::size_t elements, std::uint64_t seed, float scale) {
    example::require(launch(&fill, dim3(1024), nullptr, data, static_cast<std::int64_t>(elements), seed, scale));
  };
  set(x.data(), tokens * hidden, seed_x, 1);
  set(gate_up.data(), experts * hidden * 2 * inner, seed_gate_up, scale_up);
  set(down.data(), experts * inner * hidden, seed_down, scale_down);
  example::device_memory const d_chosen(chosen);
  example::device_memory const d_weights(weights);
  example::device_memory<std::int32_t> const ends(experts), token_of_row(rows), slot_of_row(rows);
  example::device_memory<float> const weight_of_row(rows);
  example::device_memory<bf16> const activated(rows * inner), slots(rows * hidden), out(tokens * hidden);
  layer const l{of,
                x.data(),
                gate_up.data(),
                down.data(),
                d_chosen.data(),
                d_weights.data(),
                ends.data(),
                token_of_row.data(),
                slot_of_row.data(),
                weight_of_row.data(),
                activated.data(),
                slots.data(),
                out.data()};
  std::vector<bf16> results[2];
  for (std::vector<bf16>& result : results) {
    out.fill(0xff);
    if (gemm::status const status = run_layer(l, nullptr); !status) {
      std::fprintf(stderr, "%s\n", status.message());
      return 1;
    }
    result = out.values();
  }
  bool const same = std::memcmp(results[0].data(), results[1].data(), results[0].size() * sizeof(bf16)) == 0;
  if (!same) {
    std::printf("moe %s: two runs differ\n", of.name);
  }
  bool const right = check(of, chosen, weights, scale_up, scale_down, results[0]);
  if (&of != &shapes[0]) {
    double const seconds = example::best_seconds([&] { return run_layer(l, nullptr); });
    double const operations =
        6.0 * static_cast<double>(rows) * static_cast<double>(hidden) * static_cast<double>(inner);
    std::printf("moe %s on %s: %.3f ms, %.0f TFLOP/s\n", of.name, example::device_name().c_str(), seconds * 1e3,
                operations / seconds * 1e-12);
  }
  return right && same ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::string_view const name = count > 1 ? arguments[1] : "small";
  for (shape const& known : shapes) {
    if (known.name == name && count <= 3) {
      if (count < 3) {
        return run_shape(known);
      }
      shape of = known;
      of.tokens = std::atoi(arguments[2]);
      if (of.tokens > 0 && of.tokens <= (1 << 27) / of.top) {
        return run_shape(of);
      }
    }
  }
  std::fprintf(stderr, "usage: moe [small | mixtral | deepseek-v3 | qwen3-30b] [tokens, 1 or more]\n");
  return 2;
}
