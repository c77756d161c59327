// SPDX-License-Identifier: BSL-1.0
//! @file
//! The price of a plan: seconds, from what the plan asks of a device and what was measured of it. Numbers alone.
#pragma once

#include <cmath>
#include <cstddef>

#include <gemm/extremes.hpp>
#include <gemm/tables/rates.hpp>

namespace gemm::detail {

/// What a plan asks of a device.
struct plan_load {
  double peak = 1;               // multiply-adds of a multiprocessor in a second
  double tile = 0, block_k = 0;  // elements of C that a block computes, and k of a step
  double steps = 0;              // of a block
  double narrow = 0;             // elements of A and B that a block copies in pieces of less than 16 bytes, for each k,
  double single = 0;             // and one by one
  double cache_lines = 0;        // of 128 bytes that a block asks for in a step: all,
  double split_cache_lines = 0;  // and those for which an access goes to two
  double blocks = 1;             // tiles times slices
  double resident = 1, slots = 1;  // blocks that a multiprocessor holds, and the device
  double waves = 0;                // of so many, all but the last,
  double fullest = 1;              // whose blocks on the fullest multiprocessor are these
  double rest = 0;                 // stream-K: the part of a wave that its last blocks take
  double bytes = 0;                // of A, B and C once
  double missed = 0;               // part of the cache lines that the L2 does not have, besides these bytes
  double slices = 1, slice_bytes = 0;
  std::size_t packed_bytes = 0;
  bool packs_narrow = false;  // rows that are read in pieces of less than 16 bytes
  tables::cuts cut = tables::uncut;
  tables::stores store = tables::aligned;
};

/// Its price, term by term: seconds.
struct plan_price {
  double launch = 0;
  double blocks = 0, cache_lines = 0, memory = 0;  // steps of k, wave after wave; the L2; the device's memory
  double slowest = 0;                              // of these three, softly
  double ends = 0;                                 // what the last blocks take besides: their beginning and stores
  double reduction = 0, packing = 0;

  constexpr double seconds() const { return launch + slowest + ends + reduction + packing; }
};

/// The p-norm: a maximum that adds softly, between the sum (1) and the largest (infinity).
inline double soft_maximum(double p, double x, double y, double z = 0) {
  double const most = greater(greater(x, y), z);
  return most > 0 ? most * std::pow(std::pow(x / most, p) + std::pow(y / most, p) + std::pow(z / most, p), 1 / p) : 0;
}

/// A step of h blocks of a multiprocessor takes as long as their multiply-adds or as one block alone does, softly, and
/// longer where they copy element by element. Blocks come in waves of as many as the device holds, each with a store,
/// and the last wave is spread over its multiprocessors. Memory serves all of them alike: those with a block more read
/// it when the others have ended, and do not reach all of the bandwidth by themselves. The slowest of blocks, L2 and
/// memory counts, softly.
inline plan_price price_of(plan_load const& load, tables::policy_rates const& r, tables::device_rates const& d,
                           double bandwidth) {
  auto const steps = [&](double h) {
    double const multiply = h * load.tile * load.block_k / (load.peak * r.full);
    return load.steps * (soft_maximum(d.step_norm, multiply, r.step) +
                         h * load.block_k * (load.narrow * d.narrow_copy + load.single * d.element_copy));
  };
  auto const together = [&](double h) { return 1 + d.shared * greater(h - 1, 0.0); };
  double const store = r.store[load.store], wave = steps(load.resident) + together(load.resident) * store;
  plan_price price{.launch = d.launch};
  price.blocks = load.waves * wave + (load.rest > 0 ? load.rest * wave : load.fullest > 0 ? steps(load.fullest) : 0);
  price.cache_lines =
      load.blocks * load.steps * (load.cache_lines + d.split_cache_line * load.split_cache_lines) / d.cache_lines;
  constexpr double memory_bound = 8;  // an exponent: for others the fullest multiprocessor is in price.blocks
  double const each = load.blocks * load.resident / load.slots, whole = std::floor(each);  // blocks of a multiprocessor
  bool const uneven = whole >= 1 && each > whole && load.rest == 0;
  double const reads = uneven ? (whole + greater(each - whole, d.alone)) / each : 1;
  double const missed = load.missed * load.blocks * load.steps * load.cache_lines * 128;
  price.memory = r.memory[load.cut] * (load.bytes + missed) / (d.reached * bandwidth);
  price.slowest = soft_maximum(d.norm, price.blocks, price.cache_lines, price.memory);
  price.slowest += (reads - 1) * price.memory * std::pow(price.memory / price.slowest, memory_bound);
  price.ends = together(load.fullest) * (r.fixed + store);
  switch (load.cut) {
    case tables::by_second_kernel:
      price.reduction = d.second_kernel + d.second_slice * load.slices + load.slice_bytes / d.slice_bandwidth;
      break;
    case tables::by_cluster:
      price.reduction = d.cluster + d.cluster_slice * load.slices;
      break;
    case tables::by_last_blocks:
      price.reduction = d.last_blocks;
      break;
    default:
      break;
  }
  price.packing = d.packing_seconds(load.packed_bytes) + (load.packs_narrow ? d.narrow_packing : 0);
  return price;
}

}  // namespace gemm::detail
