// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launch of what computes a product that fp16x3 has refused.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/status.hpp>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// The slices of the k of a refused product: as many as the device has CTA slots for.
template <class Policy>
std::int64_t slices_where_refused(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                                  int multiprocessors) {
  using small_policy = typename Policy::otherwise_small;
  using problem_type = plain_problem<float, float, nn, identity>;
  constexpr std::int64_t most_slices = 8, least_depth = 256;
  double const all = static_cast<double>(tiles(m, small_policy::block_m)) *
                     static_cast<double>(tiles(n, small_policy::block_n)) * static_cast<double>(batch);
  std::int64_t slices = 1;
  for (int more = 2; more <= most_slices && more * least_depth <= k; ++more) {
    double const clusters = tables::cluster_slots(more, resident<small_policy, problem_type>, multiprocessors) / more;
    slices = all <= clusters ? more : slices;
  }
  return slices;
}

/// How k of a refused product is split: in slices where large tiles would leave half of the device idle, if there are
/// clusters.
template <class Policy, class Problem>
static split_plan plan_fallback(Problem const& p, int multiprocessors) {
  std::int64_t const slices =
      current_code().clusters ? slices_where_refused<Policy>(p.m, p.n, p.k, p.batch_count, multiprocessors) : 1;
  if (slices == 1) {
    return {};
  }
  std::int64_t const depth = padded_depth(tiles(p.k, slices));
  return {.mode = reduction::cluster, .slices = static_cast<int>(tiles(p.k, depth)), .depth = static_cast<int>(depth)};
}

/// Enqueues the fallback of a refused product.
template <class Policy, class Problem>
static status enqueue_refused(refused_problem<Problem> const& p, split_plan const& plan, cudaStream_t stream) {
  return plan.slices == 1 ? enqueue<typename Policy::otherwise>(p, stream)
                          : enqueue<typename Policy::otherwise_small>(p, stream, plan);
}

}  // namespace gemm::detail
