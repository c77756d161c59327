// SPDX-License-Identifier: BSL-1.0
//! @file
//! Works of products whose sizes lie in device memory, for kernels that load by TMA: a kernel before has written each
//! product with its maps, and how many tiles there are up to its last (kernel/prepare_grouped.cuh).
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/tensor_map.cuh>
#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/schedule/cluster_works.cuh>
#include <gemm/schedule/grouped.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// A parameter with such products.
template <class Parameter>
concept mapped_parameter = is_grouped_problem<problem_of_product<Parameter>> && !is_grouped_problem<Parameter>;

template <class Problem, class A, class B, class C, class Index>
__device__ auto product_of(scheduled<tma_problem<grouped_problem<Problem, A, B, C>>> const& params, Index product) {
  prepared_product<Problem> const& own = params.io.problem.prepared.products[product];
  return grouped_loads<Problem>{own.a, own.b, own.problem};
}
template <class Problem, class A, class B, class C, class Index>
__device__ auto product_of(scheduled<tma_store_problem<grouped_problem<Problem, A, B, C>>> const& params,
                           Index product) {
  prepared_product<Problem> const& own = params.io.loads.problem.prepared.products[product];
  return grouped_product<Problem>{{own.a, own.b, own.problem}, own.c, params.io.stores && own.stores};
}

/// Each product has its own.
template <mapped_parameter Parameter>
__device__ void prefetch_maps(scheduled<Parameter> const&) {}

/// The works of a persistent cluster, after the kernel that has written the maps. Who is given a product's first work
/// may use its maps, and all to whom it publishes the work.
template <class Policy, mapped_parameter Parameter>
class cluster_works<Policy, Parameter> {
 public:
  __device__ explicit cluster_works(scheduled<Parameter> const& params) : params_(params) {
    arch::wait_for_dependency();
  }

  __device__ bool next(int step, work& w) {
    auto const& p = problem_of(params_.io);
    block_position const block = position_in_grid();
    unsigned const index = block.cluster + static_cast<unsigned>(step) * block.clusters;
    if (index >= own_.end && !find(index)) {
      return false;
    }
    schedule s = params_.order;
    s.tiles_m = own_.tiles_m;
    s.tiles_n = own_.tiles_n;
    s.k_tiles = own_.k_tiles;
    s.batches = 1;
    w = whole_work(s);
    locate_tile(s, w, {index - begin_, 0, s.tiles_n});
    w.batch = product_;
    if (own_.k_tiles == 0 && p.k > 0) {  // accumulators are those of the work before: a tile behind all k has zeros
      w.k_begin = w.k_tiles = 1;
    }
    return true;
  }

 private:
  /// Goes on to the product that has a tile, the first that ends behind it: most often the next one.
  __device__ bool find(unsigned index) {
    auto const& prepared = problem_of(params_.io).prepared;
    int const products = params_.order.batches;
    int first = product_ + 1, last = first;
    for (int step = 1; last < products && prepared.tiles[last].end <= index; step *= 2) {
      first = last + 1;
      last += step < products - last ? step : products - last;
    }
    while (first < last) {
      int const between = first + (last - first) / 2;
      if (prepared.tiles[between].end > index) {
        last = between;
      } else {
        first = between + 1;
      }
    }
    if (first == products) {
      return false;
    }
    product_ = first;
    own_ = prepared.tiles[first];
    begin_ = own_.end - static_cast<unsigned>(own_.tiles_m) * static_cast<unsigned>(own_.tiles_n);
    auto const& product = prepared.products[first];
    arch::acquire_map(product.a);
    arch::acquire_map(product.b);
    arch::acquire_map(product.c);
    return true;
  }

  scheduled<Parameter> const& params_;
  int product_ = -1;
  unsigned begin_ = 0;  // tiles before its own
  counted_tiles own_{};
};

}  // namespace gemm::detail
