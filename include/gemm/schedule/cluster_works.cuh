// SPDX-License-Identifier: BSL-1.0
//! @file
//! The works of a persistent cluster, in order, for the thread that loads their tiles.
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/next_work.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// Of a schedule that the host knows. Another parameter has a specialisation, which may keep where it is.
template <class Policy, class Parameter>
class cluster_works {
 public:
  __device__ explicit cluster_works(scheduled<Parameter> const& params) : params_(params) {}

  /// The step-th work, if there is one; by steps from 0 on.
  __device__ bool next(int step, work& w) const { return next_work(params_.order, position_in_grid(), step, w); }

 private:
  scheduled<Parameter> const& params_;
};

}  // namespace gemm::detail
