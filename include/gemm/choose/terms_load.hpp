// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a plan of split terms asks of a device, and which of its policies may be chosen.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include <gemm/choose/emulated_price.hpp>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/emulation/terms_launch.cuh>
#include <gemm/extremes.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/policy.hpp>
#include <gemm/tables/rates.hpp>

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

/// A policy's part of the dense 16-bit rate. One that was not measured is as slow as the slowest.
inline double reached_by_terms(tables::gpu_table const& t, std::string_view policy) {
  double least = tables::unmeasured_terms;
  for (std::size_t i = 0; i < t.terms_count; ++i) {
    if (policy.find(t.terms[i].policy) != std::string_view::npos) {
      return t.terms[i].reached;
    }
    least = lesser(least, t.terms[i].reached);
  }
  return least;
}

/// The load of a policy's plan. Passes: 8 bytes for an element that is k-major, of mma.sync's padded terms their own
/// number, and 1.5 more for another.
template <class Policy, class Problem>
terms_load load_of_terms(Problem const& p, device_info const& device, fp16x3_plan const& terms,
                         launch_plan const& plan) {
  constexpr bool by_mma = Policy::info.op == math_op::mma;
  constexpr double products = Policy::terms::small_count + 1, more = 1.5,
                   of_element = by_mma ? 4 + 2 * Policy::terms::count : 8;
  double const k = static_cast<double>(padded_depth(p.k));
  auto const lines_of = [](terms_plan const& o) {
    return static_cast<double>(o.matrices) * static_cast<double>(o.lines);
  };
  auto const bytes_of = [&](terms_plan const& o) {
    return o.prepacked != nullptr ? 0 : k * lines_of(o) * (o.by_k ? of_element : of_element + more);
  };
  tables::arithmetic const& a = device.arithmetic;
  double const dense = by_mma ? a.mma.of_16_bits : a.wgmma.of_16_bits, slices = plan.order.slices;
  terms_load load{
      .pass_bytes = bytes_of(terms.a) + bytes_of(terms.b),
      .wide = splits_wide(p, terms),
      .transposes = terms.a.second_blocks + terms.b.second_blocks > 0,
      .facts = by_mma ? 0 : lines_of(terms.a) + lines_of(terms.b),
      .waves = waves_of(plan, device.multiprocessors),
      .c_bytes = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch_count) *
                 sizeof(typename Problem::output),
      .chunks = std::ceil(k / chunk_depth / slices),
      .seconds_of_chunk = double{Policy::block_m} * Policy::block_n * chunk_depth * products / (dense * device.clock),
      .adds_slices = slices > 1};
  if constexpr (Policy::info.with_fallback) {
    using otherwise = typename Policy::otherwise;
    load.fallback_blocks = static_cast<double>(tiles(p.m, otherwise::block_m)) *
                           static_cast<double>(tiles(p.n, otherwise::block_n)) * static_cast<double>(p.batch_count);
  }
  return load;
}

}  // namespace gemm::detail
