// SPDX-License-Identifier: BSL-1.0
//! @file
//! One tile a cluster; or where k is split, one tile whose slices the cluster's blocks have, each that of its rank.
//!
//!     cluster 0: tile 0    cluster 1: tile 1    ...
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/work.cuh>

namespace gemm::detail {

struct single_tile_schedule {
  /// The cluster's step-th work, if there is one, but for its tile's place.
  __host__ __device__ static bool next(schedule const& s, block_position const& block, int step, work& w,
                                       tile_number& tile) {
    tile = {block.cluster, 0, s.tiles_n};
    if (step > 0 || tile.index >= tiles_of(s, s.tiles_n)) {
      return false;
    }
    if (s.slices > 1) {
      take_slice(s, w, block.rank, tile.index);
    }
    return true;
  }
};

}  // namespace gemm::detail
