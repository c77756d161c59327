// SPDX-License-Identifier: BSL-1.0
//! @file
//! The grid of a launch whose blocks have one tile of C, or a slice of one, each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/host/launch_rules.hpp>

namespace gemm::detail {

/// The batch goes over y, and z where y ends; where they hold more than there is, the last blocks return at once.
template <class Problem>
dim3 grid_of_whole(Problem const& p) {
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  std::int64_t const z = tiles(p.batch_count, most_of_grid_y), y = tiles(p.batch_count, z);
  return dim3(blocks, static_cast<unsigned>(y), static_cast<unsigned>(z));
}

}  // namespace gemm::detail
