// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the threads of a block of wgmma share, as the parts of its kernel see it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/cluster_position.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/single_tile.cuh>
#include <gemm/schedule/split_k.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// The kernel's operands and C.
template <class Policy, class Problem>
struct wgmma_parameter {
  using type = std::conditional_t<Policy::stores_by_tma, tma_store_problem<Problem>, tma_problem<Problem>>;
};
template <class Policy, class Problem>
using sm90_wgmma_parameter = typename wgmma_parameter<Policy, Problem>::type;

/// The work of a block that has one alone, a tile or a slice of k of it, which each thread finds by itself.
struct only_work : work {
  /// Whether the block has one.
  __device__ bool find(schedule const& order) {
    static_cast<work&>(*this) = whole_work(order);
    tile_number number{};
    block_position const position = position_of_one_work(order.mode);
    bool const found = order.order == tile_order::split_k
                           ? split_k_schedule::next(order, position, 0, *this, number)
                           : single_tile_schedule::next(order, position, 0, *this, number);
    if (found) {
      locate_tile(order, *this, number);
    }
    return found;
  }
};
/// A block whose producer publishes its works has none.
struct published_works {
  __device__ static bool find(schedule const&) { return true; }
};

/// The kernel's parameter, the block's memory and its place in the cluster; and the thread's warpgroup.
template <class Policy, class Problem>
struct wgmma_block {
  using params_type = scheduled<sm90_wgmma_parameter<Policy, Problem>>;

  params_type const& params;
  typename Policy::shared_storage& shared;
  cluster_position<Policy> rank;
  int warpgroup;
  std::conditional_t<Policy::is_persistent, published_works, only_work> only;

  /// The product of a work, its operands, and its sizes.
  __device__ decltype(auto) product(work const& w) const { return product_of(params, w.batch); }
  __device__ decltype(auto) loads(work const& w) const { return loads_of(product(w)); }
  __device__ decltype(auto) problem(work const& w) const { return problem_of(product(w)); }

  /// Which part of a tile of C the warpgroup has.
  __device__ int part() const { return Policy::alternates ? 0 : warpgroup; }

  /// The block's own tile of a work, which may lie outside C.
  __device__ block_tile tile(work const& w) const {
    product_origin const origin = origin_of(params, w.batch);
    return {origin.row + std::int64_t{w.tile_m * Policy::cluster_m + rank.m} * Policy::block_m,
            origin.column + std::int64_t{w.tile_n * Policy::cluster_n + rank.n} * Policy::block_n,
            batch_of(params, w.batch)};
  }
};

}  // namespace gemm::detail
