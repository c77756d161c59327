// SPDX-License-Identifier: BSL-1.0
//! @file
//! How long fp16x3 will take for a problem, with all of its passes, and which of its policies may be chosen.
#pragma once

#include <cmath>
#include <cstdint>

#include <gemm/choose/price.hpp>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/emulation/terms_launch.cuh>
#include <gemm/emulation/terms_parts.cuh>
#include <gemm/extremes.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/policy.hpp>
#include <gemm/tables/emulation.hpp>

namespace gemm::detail {

/// How sums are added where the library chooses.
enum class adding { plainly, compensated, finely };

template <class Policy>
inline constexpr adding adding_of = Policy::info.sliced   ? adding::finely
                                    : Policy::compensated ? adding::compensated
                                                          : adding::plainly;

/// For small C the accumulators are promoted every 16 k; for k > 16384 additions are compensated. Errors are then not
/// above those of cublasSgemm, which splits k where C is small.
template <class Problem>
adding wanted_adding(Problem const& p, int multiprocessors) {
  constexpr std::int64_t side = 128, short_k = 1024, long_k = 16384;
  auto const blocks = static_cast<double>(tiles(p.m, side)) * static_cast<double>(tiles(p.n, side)) *
                      static_cast<double>(p.batch_count);
  if ((p.k >= short_k && 2 * blocks < 3 * multiprocessors) || 3 * blocks < multiprocessors) {
    return adding::finely;
  }
  return p.k > long_k ? adding::compensated : adding::plainly;
}

/// Seconds of the passes over A and B, so many bytes for an element that is k-major, and `more` for another.
template <class Problem>
double seconds_of_passes(Problem const& p, device_info const& device, fp16x3_plan const& plan, double of_element,
                         double more) {
  tables::emulation_rates const& rates = tables::emulation;
  double const k = static_cast<double>(padded_depth(p.k));
  auto const bytes_of = [&](terms_plan const& o) {
    double const lines = static_cast<double>(o.matrices) * static_cast<double>(o.lines);
    return o.prepacked != nullptr ? 0 : k * lines * (o.by_k ? of_element : of_element + more);
  };
  bool const wide = splits_wide(p, plan);
  double const bytes = bytes_of(plan.a) + bytes_of(plan.b),
               bandwidth = device.bandwidth * (wide ? rates.split_reached : rates.split_narrow_reached);
  bool const transposes = plan.a.second_blocks + plan.b.second_blocks > 0;
  return bytes > 0 ? (wide ? rates.split : rates.split_narrow) + (transposes ? rates.transpose : 0) + bytes / bandwidth
                   : 0;
}

/// Seconds that a block takes for a chunk of k, at such a part of the dense 16-bit rate.
template <class Policy>
double seconds_of_chunk(device_info const& device, double reached) {
  constexpr double products = Policy::terms::small_count + 1;
  tables::arithmetic const& a = device.arithmetic;
  double const dense = Policy::info.op == math_op::mma ? a.mma.of_16_bits : a.wgmma.of_16_bits;
  return double{Policy::block_m} * Policy::block_n * chunk_depth * products / (reached * dense * device.clock);
}

/// The price of a policy of mma.sync: the passes at the device's bandwidth, then whole waves of tiles. Reduction: the
/// launch of the fallback.
template <class Policy, class Problem>
requires(Policy::info.op == math_op::mma) plan_price
    price_emulated(Problem const& p, device_info const& device, fp16x3_plan const& terms, launch_plan const& plan) {
  tables::emulation_rates const& rates = tables::emulation;
  double const chunk = seconds_of_chunk<Policy>(device, tables::mma_terms_rate),
               passes = seconds_of_passes(p, device, terms, 4 + 2 * Policy::terms::count, 1.5);
  double const tile_bytes = double{Policy::block_m} * Policy::block_n * sizeof(typename Problem::output);
  double const tile = rates.tile + device.multiprocessors * tile_bytes / device.bandwidth +
                      static_cast<double>(tiles(p.k, chunk_depth)) * chunk;
  double const waves = waves_of(plan, device.multiprocessors).waves;
  double const launch = device.rates_for(element_traits<typename Problem::element_a>::name).launch,
               blocks = waves * tile;
  return {.launch = launch,
          .blocks = blocks,
          .slowest = blocks,
          .reduction = Policy::info.with_fallback ? launch : 0,
          .packing = passes};
}

/// The price. Packing: passes over A and B at the rate of memory, 8 bytes for an element that is k-major and 9.5 for
/// another. Waves of clusters, each so many chunks of 64 k and a tile of C that they store together; one of them takes
/// no less than reading the facts of all rows and columns. Reduction: the fallback.
template <class Policy, class Problem>
plan_price price_emulated(Problem const& p, device_info const& device, fp16x3_plan const& terms,
                          launch_plan const& plan) {
  using otherwise = typename Policy::otherwise;
  tables::emulation_rates const& rates = tables::emulation;
  constexpr int clustered = Policy::cluster_m * Policy::cluster_n;
  double const k = static_cast<double>(padded_depth(p.k)), batch = static_cast<double>(p.batch_count);
  auto const lines_of = [](terms_plan const& o) {
    return static_cast<double>(o.matrices) * static_cast<double>(o.lines);
  };
  double const passes = seconds_of_passes(p, device, terms, 8, 1.5);

  auto const [held, waves] = waves_of(plan, device.multiprocessors);
  constexpr double tile_bytes =
      double{Policy::block_m} * Policy::block_n * clustered * sizeof(typename Problem::output);
  double const slices = plan.order.slices, adding_slices = Policy::info.sliced && slices > 1 ? rates.slices : 0;
  double const tile =
      rates.tile + adding_slices + held * tile_bytes / (rates.store_reached * device.bandwidth) +
      std::ceil(k / chunk_depth / slices) * seconds_of_chunk<Policy>(device, tables::reached_by_terms(name<Policy>()));
  double const facts = rates.row_facts * (lines_of(terms.a) + lines_of(terms.b));
  double const blocks =
      static_cast<double>(tiles(p.m, otherwise::block_m)) * static_cast<double>(tiles(p.n, otherwise::block_n)) * batch;
  double const time = greater(waves - 1, 0.0) * tile + greater(lesser(waves, 1.0) * tile, facts);
  return {.launch = device.rates_for(element_traits<typename Problem::element_a>::name).launch,
          .blocks = time,
          .slowest = time,
          .reduction = rates.fallback + rates.fallback_block * blocks,
          .packing = passes};
}

}  // namespace gemm::detail
