// SPDX-License-Identifier: BSL-1.0
//! @file
//! The product of a work where each has a problem of its own.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/own_problem.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// After the kernel before, which may write what the problems are made of.
template <class Parameter, class Index>
requires has_own_problems<Parameter> __device__ auto product_of(scheduled<Parameter> const& params, Index product) {
  arch::wait_for_dependency();
  return part_of(params.io, product);
}

}  // namespace gemm::detail
