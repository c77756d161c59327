// SPDX-License-Identifier: BSL-1.0
//! @file
//! The product that a work belongs to: sizes, operands, C, epilogue and tensor maps. Kernels that follow a schedule
//! read these through product_of() alone.
//!
//!     scheduled<Parameter>    one product, or a batch whose strides and maps step through it
//!
//! A kernel whose works have products of their own has another parameter: overloads of these functions, and of those of
//! schedule/reduce.cuh and schedule/grid_work.cuh that take a parameter.
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// The product of a work: a problem, or one with its tensor maps. The number is the work's batch. By value: ptxas
/// orders the members of a work anew where it comes by reference.
template <class Parameter, class Index>
__host__ __device__ Parameter const& product_of(scheduled<Parameter> const& params, Index) {
  return params.io;
}

/// The coordinate of the work in the batch of its product.
template <class Parameter, class Index>
__host__ __device__ Index batch_of(scheduled<Parameter> const&, Index number) {
  return number;
}

/// The row and column of C that a product's tiles are counted from.
struct product_origin {
  std::int64_t row, column;
};
template <class Parameter, class Index>
__device__ product_origin origin_of(scheduled<Parameter> const&, Index) {
  return {0, 0};
}
/// Whether any of these may not be 0.
template <class Parameter>
inline constexpr bool has_origins = is_ragged_problem<problem_of_product<Parameter>>;

/// Whether device memory says where a product is: without a work there is none to ask for.
template <class Parameter>
inline constexpr bool looks_up_products = has_origins<Parameter> || is_grouped_problem<problem_of_product<Parameter>>;

/// A product's operands, from its own first row and column on.
template <class Parameter, class Index>
__device__ auto view_of_a(scheduled<Parameter> const& params, Index number) {
  return operand_a(product_of(params, number), batch_of(params, number));
}
template <class Parameter, class Index>
__device__ auto view_of_b(scheduled<Parameter> const& params, Index number) {
  return operand_b(product_of(params, number), batch_of(params, number));
}

/// Has TMA fetch the maps before it needs them, where they are those of all works.
template <class Parameter>
__device__ void prefetch_maps(scheduled<Parameter> const& params) {
  prefetch_maps(params.io);
}

/// Whether B is a copy in squares (block/smem_transpose.cuh): in the products of all works, or in none.
template <class Parameter>
__device__ bool has_squares_of_b(scheduled<Parameter> const& params) {
  return problem_of(params.io).squares_of_b;
}

}  // namespace gemm::detail
