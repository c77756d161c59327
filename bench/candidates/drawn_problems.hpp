// SPDX-License-Identifier: BSL-1.0
//! @file
//! Problems that are drawn: with random sizes, with those that people choose, and linear layers of language models.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../support/problem.hpp"

namespace bench {

/// Of one element type, each of at most so many operations. The same seed gives the same problems.
class drawn_problems {
 public:
  drawn_problems(std::string dtype, std::uint32_t seed, double most_flops)
      : dtype_(std::move(dtype)), engine_(seed), most_flops_(most_flops) {}

  /// Sizes are log-uniform, each a multiple of one of the steps.
  problem random(std::string const& storage, std::vector<std::int64_t> const& steps) {
    return draw(storage, [&](problem& p) { p.m = size(steps), p.n = size(steps), p.k = size(steps); });
  }

  /// Sizes that people write down; every third problem is square.
  problem general(std::string const& storage) {
    constexpr std::int64_t sizes[] = {32,   64,   100,  128,  192,  256,  320,  384,  500,  512,   640,
                                      768,  1000, 1024, 1280, 1536, 1792, 2000, 2048, 2560, 3000,  3072,
                                      3584, 4000, 4096, 5000, 5120, 6144, 7168, 8000, 8192, 10000, 16384};
    return draw(storage, [&](problem& p) {
      bool const square = below(3) == 0;
      p.m = one_of(sizes);
      p.n = square ? p.m : one_of(sizes);
      p.k = square ? p.m : one_of(sizes);
    });
  }

  /// C = X W^T of so many tokens. Models: Llama 3 8B and 70B, Qwen 2.5 1.5B and 7B, DeepSeek V3, BERT, Llama 2 13B.
  problem layer() {
    constexpr std::int64_t tokens[] = {1,   2,   4,   8,   16,  24,  32,   48,   64,   96,   128, 160,
                                       192, 256, 320, 384, 512, 768, 1024, 1536, 2048, 4096, 8192};
    constexpr std::pair<std::int64_t, std::int64_t> weights[] = {
        {6144, 4096},  {4096, 4096},  {28672, 4096}, {4096, 14336}, {10240, 8192}, {8192, 8192},  {57344, 8192},
        {8192, 28672}, {2048, 1536},  {1536, 8960},  {4608, 3584},  {3584, 3584},  {37888, 3584}, {3584, 18944},
        {2112, 7168},  {24576, 1536}, {7168, 16384}, {4096, 7168},  {7168, 2048},  {32768, 512},  {3072, 768},
        {768, 3072},   {15360, 5120}, {5120, 5120},  {5120, 13824}};
    return draw("nt", [&](problem& p) {
      p.m = one_of(tokens);
      auto const [n, k] = weights[below(std::size(weights))];
      p.n = n, p.k = k;
    });
  }

 private:
  double uniform() { return static_cast<double>(engine_()) / 4294967296.0; }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(static_cast<double>(count) * uniform()); }
  std::int64_t one_of(auto const& sizes) { return sizes[below(std::size(sizes))]; }
  std::int64_t size(std::vector<std::int64_t> const& steps) {
    constexpr double most = 16384;
    std::int64_t const step = one_of(steps);
    auto const any = static_cast<std::int64_t>(std::llround(std::exp(uniform() * std::log(most))));
    return (any + step - 1) / step * step;
  }

  /// Draws sizes until there are no more operations than allowed.
  problem draw(std::string const& storage, auto set_sizes) {
    for (;;) {
      problem p;
      p.dtype = dtype_;
      p.transposed_a = storage[0] == 't';
      p.transposed_b = storage[1] == 't';
      set_sizes(p);
      if (p.flops() <= most_flops_) {
        return p;
      }
    }
  }

  std::string dtype_;
  std::mt19937 engine_;
  double most_flops_;
};

}  // namespace bench
