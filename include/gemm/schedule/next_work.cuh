// SPDX-License-Identifier: BSL-1.0
//! @file
//! The works of a block, by the schedule that its launch asks for: a run-time value.
//!
//! A schedule is a function of (block, step) that keeps no state. A new one is a file with a next(), an enumerator of
//! tile_order and a case here; tests/unit/schedule_test.cpp walks it.
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/persistent.cuh>
#include <gemm/schedule/single_tile.cuh>
#include <gemm/schedule/split_k.cuh>
#include <gemm/schedule/stream_k.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// The next() of the schedule that the launch asks for.
__host__ __device__ inline bool next_by_order(schedule const& s, block_position const& block, int step, work& w,
                                              tile_number& tile) {
  switch (s.order) {
    case tile_order::single_tile:
      return single_tile_schedule::next(s, block, step, w, tile);
    case tile_order::persistent:
      return persistent_schedule::next(s, block, step, w, tile);
    case tile_order::split_k:
      return split_k_schedule::next(s, block, step, w, tile);
    case tile_order::stream_k:
      return stream_k_schedule::next(s, block, step, w, tile);
  }
  return false;
}

/// The block's step-th work, if there is one; steps count from 0, and none comes after the first that is missing.
__host__ __device__ inline bool next_work(schedule const& s, block_position const& block, int step, work& w) {
  w = whole_work(s);
  tile_number tile{};
  bool const found = next_by_order(s, block, step, w, tile);
  if (found) {
    locate_tile(s, w, tile);
  }
  return found;
}

}  // namespace gemm::detail
