// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is measured of float as sums of 16-bit terms: of an H200 at its power limit.
#pragma once

#include <string_view>

namespace gemm::tables {

/// Seconds, bytes a second.
struct emulation_rates {
  double split = 3e-6, split_narrow = 7e-6;                          // launches of a pass over A and B,
  double split_bandwidth = 3.9e12, split_narrow_bandwidth = 2.2e12;  // in pieces of 16 bytes, and element by element
  double transpose = 2e-6, row_facts = 0.55e-9;                      // of an mn-major operand; of a row or column
  double tile = 1.5e-6, slices = 2e-6, store_bandwidth = 4e12;
  double fallback = 3e-6, fallback_block = 0.5e-9;  // of products beyond the error bound
  double bandwidth = 4.8e12;                        // of the device
};

/// Seconds that a cluster takes for 64 k of a tile.
struct chunk_rate {
  std::string_view policy;
  double seconds;
};

/// The part of a device's dense 16-bit rate that bf16x6_mma is to reach: predicted, not measured.
inline constexpr double mma_terms_rate = 0.5;

inline constexpr emulation_rates emulation{};
inline constexpr chunk_rate chunk_rates[] = {
    {"fp16x3_128x192x64_2x1", 1.83e-6},
    {"fp16x3_128x128x64_2x1", 1.3e-6},
    {"fp16x3_compensated_128x192x64_2x1", 2.03e-6},
    {"fp16x3_compensated_128x128x64_2x1", 1.4e-6},
    {"fp16x3_sliced_128x128x64", 1.55e-6},
};

/// A policy that was not measured takes as long as the slowest.
constexpr double chunk_seconds(std::string_view policy) {
  double slowest = 0;
  for (chunk_rate const& c : chunk_rates) {
    if (policy.find(c.policy) != std::string_view::npos) {
      return c.seconds;
    }
    slowest = c.seconds > slowest ? c.seconds : slowest;
  }
  return slowest;
}

}  // namespace gemm::tables
