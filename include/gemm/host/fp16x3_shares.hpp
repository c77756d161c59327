// SPDX-License-Identifier: BSL-1.0
//! @file
//! How many of the tiles of C fp16x3 computes as they are, and how many as narrow ones.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include <gemm/block/fp16x3_tiles.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/host/launch.cuh>

namespace gemm::detail {

/// The tiles of clusters, how many clusters the device holds, and how many waves of whole tiles take as long.
struct share_plan {
  tile_shares shares{};
  int tiles_m = 0, tiles_n = 0;
  std::int64_t held = 1;
  double waves = 0;

  std::int64_t all() const { return shares.whole + shares.narrow; }
};

/// Narrow tiles for what whole ones leave of the last wave, and for columns that do not fill one, where that is
/// shorter.
template <class Policy, class Problem>
share_plan plan_shares(Problem const& p, int multiprocessors) {
  using whole = cluster_tile<Policy>;
  constexpr int narrow_n = Policy::narrow_n * Policy::cluster_n, in_whole = Policy::block_n / Policy::narrow_n;
  constexpr double narrow_wave = 0.25 + 0.9 / in_whole;
  std::int64_t const held = std::max(multiprocessors / (Policy::cluster_m * Policy::cluster_n), 1),
                     rows = tiles(p.m, whole::block_m), columns = tiles(p.n, whole::block_n),
                     all = rows * columns * p.batch_count;
  auto const wave_count = [&](std::int64_t count) { return static_cast<double>(tiles(count, held)); };
  share_plan plan{.shares = {.whole = all, .narrow = 0, .rest_columns = 0},
                  .tiles_m = static_cast<int>(rows),
                  .tiles_n = static_cast<int>(columns),
                  .held = held,
                  .waves = wave_count(all)};
  if constexpr (in_whole > 1) {
    std::int64_t const full_columns = p.n / whole::block_n, full = rows * full_columns * p.batch_count,
                       rest_columns = tiles(p.n - full_columns * whole::block_n, narrow_n),
                       in_waves = full / held * held,
                       narrow = (full - in_waves) * in_whole + rows * rest_columns * p.batch_count;
    double const waves = wave_count(in_waves) + narrow_wave * wave_count(narrow);
    if (waves < plan.waves) {
      plan.shares = {.whole = in_waves, .narrow = narrow, .rest_columns = static_cast<int>(rest_columns)};
      plan.tiles_n = static_cast<int>(full_columns);
      plan.waves = waves;
    }
  }
  return plan;
}

}  // namespace gemm::detail
