// SPDX-License-Identifier: BSL-1.0
//! @file
//! How long fp16x3 will take for a problem, with all of its passes.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

#include <gemm/block/fp16_parts.cuh>
#include <gemm/host/device_rates.hpp>
#include <gemm/host/fp16x3.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/host/model.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// The model: passes over A and B at the rate of memory, 8 bytes for an element that is k-major and 12 for another,
/// then clusters in waves, each so many chunks of 64 k long, and the launch of what computes refused products. Rates
/// are those of an H200 at its power limit, where it stays from some hundred microseconds on; it is faster before.
template <class Policy, class Problem>
choice predict_emulated(Problem const& p, int multiprocessors, fp16x3_plan const& plan) {
  constexpr double passes_bandwidth = 3.9e12, pass_launch = 2.5e-6, refusing_launch = 2e-6, refusing_block = 0.5e-9,
                   tile_overhead = 2.5e-6;
  constexpr int clustered = Policy::cluster_m * Policy::cluster_n;
  double const k = static_cast<double>(padded_depth(p.k)), batch = static_cast<double>(p.batch_count);
  auto const pass = [&](parts_plan const& o) {
    return static_cast<double>(o.matrices) * static_cast<double>(o.lines) * k * (o.by_k ? 8 : 12) / passes_bandwidth;
  };
  bool const turns = !plan.a.by_k || !plan.b.by_k;
  double const passes = pass(plan.a) + pass(plan.b) + (turns ? 2 : 1) * pass_launch;

  double const tiles_of_c = static_cast<double>(tiles(p.m, Policy::block_m * Policy::cluster_m)) *
                            static_cast<double>(tiles(p.n, Policy::block_n * Policy::cluster_n)) * batch;
  double const places = std::max(multiprocessors / clustered, 1), waves = tiles_of_c / places;
  double const arithmetic = std::ceil(waves) * (tile_overhead + k / chunk_depth * Policy::chunk_seconds);
  double const stores = static_cast<double>(p.m) * static_cast<double>(p.n) * batch * sizeof(typename Problem::output) /
                        fma_rates.bandwidth;
  double const refusing = refusing_launch + refusing_block *
                                                static_cast<double>(tiles(p.m, Policy::otherwise::block_m)) *
                                                static_cast<double>(tiles(p.n, Policy::otherwise::block_n)) * batch;
  return {.policy = name<Policy>(),
          .seconds = fma_rates.launch + passes + std::max(arithmetic, stores) + refusing,
          .waves = waves};
}

}  // namespace gemm::detail
