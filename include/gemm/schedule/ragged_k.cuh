// SPDX-License-Identifier: BSL-1.0
//! @file
//! Works of products that have a k of their own: those of a batch, each with the tiles of its product's k.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/schedule/cluster_works.cuh>
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

/// The works of a persistent cluster. A product without k has one tile, of zeros: accumulators are those of the work
/// before, until a multiplication replaces them.
template <class Policy, class Parameter>
requires is_ragged_k_problem<problem_of_product<Parameter>>
class cluster_works<Policy, Parameter> {
 public:
  __device__ explicit cluster_works(scheduled<Parameter> const& params) : params_(params) {
    arch::wait_for_dependency();  // for who writes the ranges
  }
  __device__ bool next(int step, work& w) const {
    if (!next_work(params_.order, position_in_grid(), step, w)) {
      return false;
    }
    auto const& p = problem_of(params_.io);
    line_range const range = p.ranges.of(w.batch, p.k);
    int const k_tiles = static_cast<int>((range.end - range.first + Policy::block_k - 1) / Policy::block_k);
    w.k_tiles = k_tiles == 0 && p.k > 0 ? 1 : k_tiles;
    return true;
  }

 private:
  scheduled<Parameter> const& params_;
};

}  // namespace gemm::detail
