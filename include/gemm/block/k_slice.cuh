// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split-K: the part of k that a block sums.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/problem.cuh>

namespace gemm {

/// The epilogue of a problem whose k is split: it changes nothing, and says how k is cut. Its grid is tiles x batch x
/// slices, each slice of each product has a C ([slice][batch] one after the other), and the problem's A, B and k are
/// those of the whole product. With a depth of 0 it is that of a whole product, grid and all, so that one kernel serves
/// both. Not for users; it is not in detail for the kernels' symbols.
struct k_slices {
  int depth;  // of a slice; the last may be shorter; 0: of the whole product
  int count;  // of a product

  template <class T>
  __device__ T operator()(T value, std::int64_t, std::int64_t) const {
    return value;
  }
};

namespace detail {

/// Whether a kernel leaves the addition of its slices to the next one.
template <class Problem>
inline constexpr bool sums_slices = false;
template <class In, class Out, class Storage>
inline constexpr bool sums_slices<problem<In, Out, Storage, k_slices>> = true;

/// What a block sums of k.
struct k_range {
  std::int64_t batch, first, depth;
};

/// All of k, where it is not split.
template <class Problem>
__device__ k_range range_of(Problem const& p, block_tile const& tile) {
  return {tile.batch, 0, p.k};
}

/// The block's slice. Found in the grid and not divided out of one index, and with a 32-bit depth in the parameters:
/// ptxas spills otherwise (sm_90, float tn).
template <class In, class Out, class Storage>
__device__ k_range range_of(problem<In, Out, Storage, k_slices> const& p, block_tile const& tile) {
  if (p.epilogue.depth == 0) {
    return {tile.batch, 0, p.k};
  }
  std::int64_t const first = std::int64_t{blockIdx.z} * p.epilogue.depth, left = p.k - first;
  return {blockIdx.y, first, left < p.epilogue.depth ? left : p.epilogue.depth};
}

/// The slice of the block's rank in its cluster.
template <class Problem>
__device__ k_range range_of(cluster_problem<Problem> const& p, block_tile const& tile) {
  std::int64_t const first = std::int64_t{blockIdx.z} * p.depth, left = p.k - first;
  return {tile.batch, first, left < p.depth ? left : p.depth};
}

/// An operand from the range's first k on.
template <class T, major Major>
__device__ operand<T, Major> part_of(operand<T, Major> whole, k_range const& range) {
  whole.data += Major == major::k ? range.first : range.first * whole.ld;
  whole.depth = range.depth;
  return whole;
}

}  // namespace detail

}  // namespace gemm
