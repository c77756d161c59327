// SPDX-License-Identifier: BSL-1.0
//! @file
//! The price of a plan of split terms: seconds, with all of its passes. Numbers alone.
#pragma once

#include <gemm/choose/price.hpp>
#include <gemm/extremes.hpp>
#include <gemm/tables/rates.hpp>

namespace gemm::detail {

/// What such a plan asks of a device.
struct terms_load {
  double pass_bytes = 0;  // that the passes over A and B read and write,
  bool wide = true;       // in accesses of 16 bytes,
  bool transposes = false;
  double facts = 0;                         // rows and columns of which the kernel reads what the passes noted
  double waves = 0, c_bytes = 0;            // of tiles, and all that they store
  double chunks = 0, seconds_of_chunk = 0;  // of k, each at the dense 16-bit rate
  bool adds_slices = false;
  double fallback_blocks = 0;
};

/// Packing: the passes, at the rate of memory. Blocks: waves of clusters, each so many chunks; one of them takes no
/// less than reading the facts. Memory: the stores of C, while no block multiplies. Reduction: the fallback.
inline plan_price price_of(terms_load const& load, double reached, tables::emulation_rates const& r, double launch,
                           double bandwidth) {
  plan_price price{.launch = launch};
  if (load.pass_bytes > 0) {
    price.packing = (load.wide ? r.split : r.split_narrow) + (load.transposes ? r.transpose : 0) +
                    load.pass_bytes / (bandwidth * (load.wide ? r.split_reached : r.split_narrow_reached));
  }
  double const tile = r.tile + (load.adds_slices ? r.slices : 0) + load.chunks * load.seconds_of_chunk / reached;
  price.blocks =
      greater(load.waves - 1, 0.0) * tile + greater(lesser(load.waves, 1.0) * tile, r.row_facts * load.facts);
  price.memory = load.c_bytes / (r.store_reached * bandwidth);
  price.slowest = price.blocks + price.memory;
  price.reduction = load.fallback_blocks > 0 ? r.fallback + r.fallback_block * load.fallback_blocks : 0;
  return price;
}

}  // namespace gemm::detail
