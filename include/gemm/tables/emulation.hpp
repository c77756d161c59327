// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is measured of float as sums of 16-bit terms: of an H200 at its power limit, in parts of what the device has.
#pragma once

#include <string_view>

namespace gemm::tables {

/// Seconds, and parts of the device's bandwidth.
struct emulation_rates {
  double split = 3e-6, split_narrow = 7e-6;                  // launches of a pass over A and B,
  double split_reached = 0.81, split_narrow_reached = 0.46;  // in pieces of 16 bytes, and element by element
  double transpose = 2e-6, row_facts = 0.55e-9;              // of an mn-major operand; of a row or column
  double tile = 1.5e-6, slices = 2e-6, store_reached = 0.83;
  double fallback = 3e-6, fallback_block = 0.5e-9;  // of products beyond the error bound
};

/// The part of a multiprocessor's dense 16-bit rate that a policy's products of terms reach.
struct terms_rate {
  std::string_view policy;
  double reached;
};

/// Of bf16x6_mma: predicted, not measured.
inline constexpr double mma_terms_rate = 0.5;

inline constexpr emulation_rates emulation{};
inline constexpr terms_rate terms_rates[] = {
    {"fp16x3_128x192x64_2x1", 0.636},
    {"fp16x3_128x128x64_2x1", 0.597},
    {"fp16x3_compensated_128x192x64_2x1", 0.573},
    {"fp16x3_compensated_128x128x64_2x1", 0.554},
    {"fp16x3_sliced_128x128x64", 0.5},
};

/// A policy that was not measured is as slow as the slowest.
constexpr double reached_by_terms(std::string_view policy) {
  double least = 1;
  for (terms_rate const& rate : terms_rates) {
    if (policy.find(rate.policy) != std::string_view::npos) {
      return rate.reached;
    }
    least = rate.reached < least ? rate.reached : least;
  }
  return least;
}

}  // namespace gemm::tables
