// SPDX-License-Identifier: BSL-1.0
//! @file
//! Whole tiles of C and, for what would not fill the device with them, narrow ones: the last wave is then shorter.
//!
//!     0 ... whole - 1          tiles of the policy, in waves that fill the device
//!     whole ... all - 1        the others, each in narrow tiles, and narrow ones for columns that no tile fills
//!
//! An element has the same accumulators in either, bit for bit.
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/work.cuh>

namespace gemm {

/// Works of clusters: whole tiles of a schedule, and the narrow tiles after them. Not for users; it is not in detail
/// for the kernels' symbols.
struct narrow_tail {
  unsigned whole;    // works that are whole tiles, the first of the schedule
  unsigned narrow;   // works behind them
  unsigned first;    // the first tile of the schedule that is computed in narrow ones
  int columns;       // of narrow tiles, beyond the schedule's
  bool only_narrow;  // another launch computes the whole ones
};

namespace detail {

/// A policy's narrow tiles.
template <class Policy>
struct narrow_tiles : Policy {
  static constexpr int block_n = Policy::narrow_n, accumulators = block_n / 2, stages = Policy::stages_of_narrow;
  static constexpr bool is_narrow = true;
};

/// The tile of a whole cluster.
template <class Policy>
struct cluster_tile {
  static constexpr int block_m = Policy::block_m * Policy::cluster_m, block_n = Policy::block_n * Policy::cluster_n;
  static constexpr int band = 2048 / block_m;  // rows of tiles that are walked together, for the L2
};

/// The cluster's step-th narrow work, if there is one; `in_whole` narrow tiles are as wide as a whole one. Its tile_n
/// counts narrow tiles.
__host__ __device__ inline bool next_narrow_work(schedule const& s, narrow_tail const& tail, int in_whole,
                                                 block_position const& block, int step, work& w) {
  auto const width = static_cast<unsigned>(in_whole), rows = static_cast<unsigned>(s.tiles_m);
  unsigned const index = block.cluster + static_cast<unsigned>(step) * block.clusters;
  unsigned const split = (tiles_of(s, s.tiles_n) - tail.first) * width;  // narrow tiles of whole ones
  w = whole_work(s);
  if (index < split) {
    locate_tile(s, w, {tail.first + index / width, 0, s.tiles_n});
    w.tile_n = w.tile_n * in_whole + static_cast<int>(index % width);
  } else {
    auto const columns = static_cast<unsigned>(tail.columns > 0 ? tail.columns : 1);
    unsigned const rest = index - split, column = rest / rows, batch = column / columns;
    w.tile_m = static_cast<int>(rest - column * rows);
    w.tile_n = s.tiles_n * in_whole + static_cast<int>(column - batch * columns);
    w.batch = static_cast<int>(batch);
  }
  return index < tail.narrow;
}

}  // namespace detail

}  // namespace gemm
