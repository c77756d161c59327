// SPDX-License-Identifier: BSL-1.0
//! @file
//! The grid of a launch whose blocks have one tile of C, or a slice of one, each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/stream_slices.cuh>
#include <gemm/host/launch_rules.hpp>

namespace gemm::detail {

/// The batch goes over y, and z where y ends; where they hold more than there is, the last blocks return at once.
template <class Problem>
dim3 grid_of_whole(Problem const& p) {
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  std::int64_t const z = tiles(p.batch_count, most_of_grid_y), y = tiles(p.batch_count, z);
  return dim3(blocks, static_cast<unsigned>(y), static_cast<unsigned>(z));
}

template <class Problem>
dim3 grid_of(Problem const& p) {
  return grid_of_whole(p);
}

template <class In, class Out, class Storage>
dim3 grid_of(problem<In, Out, Storage, k_slices> const& p) {
  if (p.epilogue.depth == 0) {
    return grid_of_whole(p);
  }
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  return dim3(blocks, static_cast<unsigned>(p.batch_count / p.epilogue.count), static_cast<unsigned>(p.epilogue.count));
}

template <class Problem>
dim3 grid_of(cluster_problem<Problem> const& p) {
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  return dim3(blocks, static_cast<unsigned>(p.batch_count), static_cast<unsigned>(p.slices));
}

template <class Problem>
dim3 grid_of(stream_problem<Problem> const& p) {
  return dim3(static_cast<unsigned>(p.whole_tiles) +
              static_cast<unsigned>(p.cut_tiles) * static_cast<unsigned>(p.slices));
}

}  // namespace gemm::detail
