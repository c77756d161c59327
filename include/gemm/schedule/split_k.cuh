// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split-K: persistent clusters that compute slices of k, the first of all tiles, then the second of all, ...
//!
//!     cluster 0: (slice 0, tile 0), ...    cluster 1: (slice 0, tile 1), ...
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/work.cuh>

namespace gemm::detail {

struct split_k_schedule {
  /// The cluster's turn-th work, if there is one.
  __host__ __device__ static bool next(schedule const& s, block_place const& at, int turn, work& w) {
    unsigned const index = at.cluster + static_cast<unsigned>(turn) * at.clusters;
    unsigned const tiles = tiles_of(s, s.tiles_n);
    if (index >= tiles * static_cast<unsigned>(s.slices)) {
      return false;
    }
    unsigned const slice = index / tiles, tile = index - slice * tiles;
    place_tile(s, w, tile, 0, s.tiles_n);
    take_slice(s, w, slice, tile);
    return true;
  }
};

}  // namespace gemm::detail
