// SPDX-License-Identifier: BSL-1.0
//! @file
//! What products cost whose numbers of rows, columns or k lie in device memory: as a batch of products of the mean
//! number.
#pragma once

#include <cmath>
#include <cstdint>

#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/block/sharded_problem.cuh>
#include <gemm/choose/fixed_bits.hpp>
#include <gemm/choose/plan_load.hpp>
#include <gemm/choose/price.hpp>
#include <gemm/extremes.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/launch/ragged.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>

namespace gemm::detail {

/// A product of as many rows, or columns, as the others on average, or as expected.
template <class Problem, bool OfColumns>
struct mean_product : Problem {
  bool at_most = false;  // no product has more
};
template <class Problem, bool OfColumns>
mean_product<Problem, OfColumns> mean_product_of(ragged_problem<Problem, OfColumns> const& p) {
  mean_product<Problem, OfColumns> mean{p};
  std::int64_t& lines = OfColumns ? mean.n : mean.m;
  std::int64_t const expected = p.ranges.expected;
  lines = !p.ranges.counted ? greater(tiles(lines, p.batch_count), std::int64_t{1})
          : expected > 0    ? lesser(lines, expected)
                            : lines;
  mean.at_most = p.ranges.counted;
  return mean;
}

/// Of shards the host knows the rows: a batch of as many products.
template <class Problem, shards_of Of>
sharded<Problem, Of> mean_product_of(ragged_problem<sharded<Problem, Of>, false> const& p) {
  sharded<Problem, Of> mean = p;
  mean.m = p.rows;
  return mean;
}

/// Tiles of a product. Of rows that lie one after the other there is half of a last one on average.
template <class Problem, bool OfColumns>
double tiles_of(compiled_kernel const& kernel, mean_product<Problem, OfColumns> const& p) {
  double const of_m = static_cast<double>(p.m) / (kernel.block_m * kernel.cluster_m),
               of_n = static_cast<double>(p.n) / (kernel.block_n * kernel.cluster_n), ragged = OfColumns ? of_n : of_m;
  double const along = p.at_most ? std::ceil(ragged) : greater(ragged + 0.5, 1.0);
  return along * std::ceil(OfColumns ? of_m : of_n) * kernel.cluster_blocks() * static_cast<double>(p.batch_count);
}
template <class Problem, bool OfColumns>
double tiles_of(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p) {
  return tiles_of(kernel, mean_product_of(p));
}
/// The part of the cache lines that the L2 misses. Blocks of many waves drift apart, more so where products have unlike
/// rows. Then the operands of a product are read again, if the L2 cannot hold them (docs/tuning-notes.md, For ragged
/// rows).
template <class Mean>
double missed_lines(Mean const& p, double waves, device_info const& device) {
  constexpr double together = 125, apart = 500, most = 0.7;
  double const lines = static_cast<double>(p.m) + static_cast<double>(p.n),
               bytes = lines * static_cast<double>(p.k) * element_bits<typename Mean::element_a> / 8,
               drift = (waves - together) / (apart - together), overflow = 2 * bytes / device.l2_bytes - 1.5;
  return most * greater(0.0, lesser(1.0, drift)) * greater(0.0, lesser(1.0, overflow));
}
template <class Problem, bool OfColumns>
[[gnu::cold]] plan_load load_of(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p,
                                split_plan const& split, repack_plan const& packing, device_info const& device) {
  auto const mean = mean_product_of(p);
  plan_load load = load_of(kernel, mean, split, packing, device);
  load.missed = missed_lines(mean, load.waves, device);
  return load;
}

/// A product of as much k as the others.
template <class Problem>
Problem mean_product_of(ragged_k_problem<Problem> const& p) {
  Problem mean = p;
  mean.k = tiles(p.k, p.batch_count);
  return mean;
}
template <class Problem>
[[gnu::cold]] plan_load load_of(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p,
                                split_plan const& split, repack_plan const& packing, device_info const& device) {
  return load_of(kernel, mean_product_of(p), split, packing, device);
}
template <class Problem>
bool adds_too_long(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p, split_plan const& split) {
  return adds_too_long(kernel, mean_product_of(p), split);
}

}  // namespace gemm::detail
