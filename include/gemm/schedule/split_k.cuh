// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split-K: persistent clusters that compute slices, the first of all tiles, then the second of all, ...
//!
//!     cluster 0: (slice 0, tile 0), ...    cluster 1: (slice 0, tile 1), ...
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/work.cuh>

namespace gemm::detail {

struct split_k_schedule {
  /// The cluster's step-th work, if there is one, but for its tile's place.
  __host__ __device__ static bool next(schedule const& s, block_position const& block, int step, work& w,
                                       tile_number& tile) {
    unsigned const index = block.cluster + static_cast<unsigned>(step) * block.clusters, tiles = tiles_of(s, s.tiles_n);
    unsigned const slice = index / tiles;
    tile = {index - slice * tiles, 0, s.tiles_n};
    take_slice(s, w, slice, tile.index);
    return slice < static_cast<unsigned>(s.slices);
  }
};

}  // namespace gemm::detail
