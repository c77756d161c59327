// SPDX-License-Identifier: BSL-1.0
//! @file
//! Pairwise combination: few cases in which every two values of different parameters meet.
#pragma once

#include <cstddef>
#include <vector>

#include <gemm/random.hpp>

namespace test {

/// A case for each result: an index below levels[i] for each parameter i. Every pair of values of two parameters is in
/// some case. Greedy: each case is the best of a few random ones, completed to cover a pair that is still open.
inline std::vector<std::vector<int>> pairwise(std::vector<int> const& levels, gemm::random_numbers& random) {
  std::size_t const parameters = levels.size();
  struct pair {
    std::size_t p, q;
    int x, y;
  };
  std::vector<pair> open;
  for (std::size_t p = 0; p < parameters; ++p) {
    for (std::size_t q = p + 1; q < parameters; ++q) {
      for (int x = 0; x < levels[p]; ++x) {
        for (int y = 0; y < levels[q]; ++y) {
          open.push_back({p, q, x, y});
        }
      }
    }
  }
  std::vector<std::vector<int>> cases;
  while (!open.empty()) {
    std::vector<int> best;
    std::size_t most = 0;
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<int> candidate(parameters);
      for (std::size_t p = 0; p < parameters; ++p) {
        candidate[p] = static_cast<int>(random.integer(0, levels[p] - 1));
      }
      pair const& wanted =
          open[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(open.size()) - 1))];
      candidate[wanted.p] = wanted.x;
      candidate[wanted.q] = wanted.y;
      std::size_t covered = 0;
      for (pair const& o : open) {
        covered += candidate[o.p] == o.x && candidate[o.q] == o.y;
      }
      if (covered > most) {
        most = covered;
        best = candidate;
      }
    }
    std::erase_if(open, [&](pair const& o) { return best[o.p] == o.x && best[o.q] == o.y; });
    cases.push_back(best);
  }
  return cases;
}

}  // namespace test
