// SPDX-License-Identifier: BSL-1.0
//! @file
//! The product of a work where its matrices are where arrays of pointers say.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/pointer_problem.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// After the kernel before, which may write the pointers.
template <class Problem, class Index>
__device__ Problem product_of(scheduled<pointer_problem<Problem>> const& params, Index product) {
  arch::wait_for_dependency();
  return part_of(params.io, product);
}

}  // namespace gemm::detail
