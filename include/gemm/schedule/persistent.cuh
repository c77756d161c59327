// SPDX-License-Identifier: BSL-1.0
//! @file
//! Persistent clusters, no more than the device holds, that compute one whole tile after the other.
//!
//!     cluster 0: tiles 0, clusters, 2 clusters, ...    cluster 1: tiles 1, clusters + 1, ...
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/work.cuh>

namespace gemm::detail {

struct persistent_schedule {
  /// The cluster's step-th work, if there is one, but for its tile's place.
  __host__ __device__ static bool next(schedule const& s, block_position const& block, int step, work&,
                                       tile_number& tile) {
    tile = {block.cluster + static_cast<unsigned>(step) * block.clusters, 0, s.tiles_n};
    return tile.index < tiles_of(s, s.tiles_n);
  }
};

}  // namespace gemm::detail
