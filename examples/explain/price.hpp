// SPDX-License-Identifier: BSL-1.0
//! @file
//! What run() chooses for a product, and the next candidates: their prices, term by term.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study.hpp"

namespace explain {

/// A plan and what the library's price_of() made of it: seconds.
struct priced_plan {
  std::string_view policy;
  int slices = 1;
  std::string_view added{};  ///< where its slices are: a cluster, memory, or memory for the last tiles alone
  double launch = 0, blocks = 0, lines = 0, memory = 0, slowest = 0, ends = 0, reduction = 0, packing = 0, price = 0;
  bool measured = true;  ///< on this kind of GPU
};

/// The best plan of each candidate, the cheapest first: run() launches that one.
struct prices {
  std::vector<priced_plan> plans;
  std::string_view type;   ///< of the elements
  std::string choice;      ///< the call: run, or run<batch_invariant>
  std::string_view table;  ///< the GPU whose rates were taken
  bool predicted = false;  ///< it is not this one
  std::string refusal{};   ///< why there are no plans; empty where there are some
};

/// For the current device, with A and B of f32, f64, f16, bf16, i8 or e4m3.
prices prices_of(std::string const& type, std::string const& storage, problem_size const& size, bool batch_invariant);

/// As a table of so many of the plans.
std::string report_of(prices const& p, std::size_t most);

}  // namespace explain
