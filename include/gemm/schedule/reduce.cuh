// SPDX-License-Identifier: BSL-1.0
//! @file
//! What becomes of a warpgroup's accumulators of a slice of k.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/shared_load.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Whether a policy's kernel leaves slices in the workspace as well as whole tiles in C, as each work says.
template <class Policy, class Problem>
inline constexpr bool takes_slices = [] {
  if constexpr (slices_in_fragments<Policy, Problem> && requires { Policy::splits_k; }) {
    return Policy::splits_k;
  } else {
    return false;
  }
}();

/// Whether a policy's kernel stores a tile of C by itself, or with the other blocks of a cluster, as its work says.
template <class Policy, class Problem>
inline constexpr bool takes_cluster_slices = [] {
  if constexpr (requires { requires Policy::takes_any_storage && Policy::splits_in_cluster; }) {
    return !sums_slices<Problem>;
  } else {
    return false;
  }
}();

/// Stores a warpgroup's accumulators to the workspace, [slice][batch][tile]; tiles are the blocks', row by row.
template <class Policy, int Pieces, int N>
__device__ void store_slice(float* workspace, schedule const& s, work const& w, cluster_place<Policy> const& place,
                            float const (&accum)[Pieces][N]) {
  int thread = static_cast<int>(threadIdx.x) - Policy::producer_threads;
  arch::make_opaque(thread);  // else addresses are formed before the main loop, and kept
  std::int64_t const product = std::int64_t{w.slice} * s.batches + w.batch;
  std::int64_t const row = (product * s.tiles_m + w.tile_m) * Policy::cluster_m + place.m;
  std::int64_t const tile = (row * s.tiles_n + w.tile_n) * Policy::cluster_n + place.n;
  store_fragments(workspace + tile * (Policy::block_m * Policy::block_n), thread, accum);
}

}  // namespace gemm::detail
