// SPDX-License-Identifier: BSL-1.0
//! @file
//! How the kernels that multiply split terms, or a product that is refused, are launched: slices of k, schedule and
//! grid.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/extremes.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// How many clusters of so many blocks, one on a multiprocessor, a device holds.
inline std::int64_t held_clusters(int blocks, int multiprocessors) {
  return greater(static_cast<std::int64_t>(tables::cluster_slots(blocks, 1, multiprocessors) / blocks),
                 std::int64_t{1});
}

/// How a policy cuts k into slices: as many as fill the device, but no more than have a chunk.
template <class Policy, class Problem>
split_plan plan_slices(Problem const& p, int multiprocessors) {
  if constexpr (Policy::info.sliced) {
    std::int64_t const all = tiles(p.m, Policy::block_m) * tiles(p.n, Policy::block_n) * p.batch_count,
                       chunks = greater(tiles(p.k, chunk_depth), std::int64_t{1});
    std::int64_t slices = greater(Policy::fixed_slices, 1);
    for (int more = 2; Policy::fixed_slices == 0 && more <= Policy::most_slices; ++more) {
      slices = all <= held_clusters(more, multiprocessors) ? more : slices;
    }
    std::int64_t const depth = tiles(chunks, lesser(chunks, slices));
    return {.mode = reduction::cluster,
            .slices = static_cast<int>(tiles(chunks, depth)),
            .depth = static_cast<int>(depth * chunk_depth)};
  } else {
    return {};
  }
}

/// The launch of a policy's kernel, its only one for all storages: persistent clusters, or one for each tile.
template <class Policy, class Problem>
static launch_plan plan_terms_launch(compiled_kernel const& kernel, Problem const& p, int multiprocessors) {
  split_plan const slices = plan_slices<Policy>(p, multiprocessors);
  launch_plan plan{
      .better = true,
      .shared_bytes = kernel.shared_bytes,
      .kind = {.cluster = kernel.cluster_blocks() * slices.slices, .dependent = current_code().dependent_launch},
      .order = schedule_of(kernel, p, slices, kernel.is_persistent())};
  plan.grid = Policy::info.sliced ? grid_of_works(plan.order, p.batch_count, slices, true)
                                  : grid_of_persistent(kernel, plan.order, multiprocessors);
  return plan;
}

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

/// In how many waves of the clusters that the device holds all tiles of a launch are computed.
inline double waves_of(launch_plan const& plan, int multiprocessors) {
  return static_cast<double>(
      tiles(tiles_of(plan.order, plan.order.tiles_n), held_clusters(plan.kind.cluster, multiprocessors)));
}

}  // namespace gemm::detail
