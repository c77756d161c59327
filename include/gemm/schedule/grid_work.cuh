// SPDX-License-Identifier: BSL-1.0
//! @file
//! The work of a block that has one and finds it in its grid: x is the tile's number and y the product. z is the slice
//! of k, or without split-K the products that y cannot hold.
//!
//! Not divided out of one number, and asked for again after the main loop: registers are short meanwhile.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/block_index.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

__device__ inline std::int64_t batch_in_grid(schedule const& s) {
  uint3 const block = arch::block_index();
  return s.slices > 1 ? block.y : block.y + std::int64_t{block.z} * gridDim.y;
}

/// The block's tile, whose product may be beyond the last.
template <class Policy, class Parameter>
__device__ block_tile tile_in_grid(scheduled<Parameter> const& params) {
  return tile_of_index<Policy>(params.io, static_cast<int>(arch::block_index().x), batch_in_grid(params.order));
}
template <class Parameter>
__device__ bool has_product(scheduled<Parameter> const& params, block_tile const& tile) {
  return tile.batch < params.io.batch_count;
}

/// The same after the main loop. By the schedule's copies of the numbers of tiles: of the problem's, ptxas would keep
/// quotients in registers meanwhile.
template <class Policy, class Parameter>
__device__ block_tile tile_in_grid_again(scheduled<Parameter> const& params) {
  schedule const& s = params.order;
  return tile_in_columns<Policy>(s.tiles_m, 0, s.tiles_n, static_cast<int>(arch::block_index().x), batch_in_grid(s));
}

/// The block's part of k, in elements.
struct k_range {
  std::int64_t first, depth;
};
template <class Policy>
__device__ k_range range_in_grid(schedule const& s, std::int64_t k) {
  if (s.slices == 1) {
    return {0, k};
  }
  int const depth = s.depth * Policy::block_k;
  std::int64_t const first = std::int64_t{blockIdx.z} * depth, left = k - first;
  return {first, left < depth ? left : depth};
}

/// The number of the block's slice in the workspace.
template <class Parameter>
__device__ std::int64_t slice_in_grid(scheduled<Parameter> const&) {
  return blockIdx.y + std::int64_t{blockIdx.z} * gridDim.y;
}

}  // namespace gemm::detail
