// SPDX-License-Identifier: BSL-1.0
//! @file
//! Works of products that have a k of their own: those of a batch, each with the tiles of its product's k.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/schedule/next_work.cuh>
#include <gemm/schedule/own_problem.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// The work of a block that has one.
template <class Policy, class Problem>
__device__ bool work_of_block(scheduled<ragged_k_problem<Problem>> const& params, work& w) {
  arch::wait_for_dependency();  // for who writes the ranges
  if (!next_work(params.order, position_of_one_work(reduction::none), 0, w)) {
    return false;
  }
  line_range const range = params.io.ranges.of(w.batch, params.io.k);
  w.k_tiles = static_cast<int>((range.end - range.first + Policy::block_k - 1) / Policy::block_k);
  return true;
}

}  // namespace gemm::detail
