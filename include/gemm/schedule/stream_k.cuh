// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stream-K: the whole tiles of the first columns, then slices of the last columns' tiles, which do not fill the device
//! by themselves.
//!
//!     works    whole tiles; slice 0 of every tile that is split, slice 1 of every one, ...
//!
//! The first slice may be longer, so that all end at about the same time. No block waits for another.
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/work.cuh>

namespace gemm::detail {

struct stream_k_schedule {
  /// The cluster's step-th work, if there is one, but for its tile's place.
  __host__ __device__ static bool next(schedule const& s, block_position const& block, int step, work& w,
                                       tile_number& tile) {
    unsigned const index = block.cluster + static_cast<unsigned>(step) * block.clusters,
                   whole = tiles_of(s, s.first_tile_n);
    if (index < whole) {
      tile = {index, 0, s.first_tile_n};
      return true;
    }
    int const columns = s.tiles_n - s.first_tile_n;
    unsigned const split = tiles_of(s, columns), behind = index - whole, slice = split > 0 ? behind / split : 0;
    tile = {behind - slice * split, s.first_tile_n, columns};
    take_slice(s, w, slice, tile.index);
    return split > 0 && slice < static_cast<unsigned>(s.slices);
  }
};

}  // namespace gemm::detail
