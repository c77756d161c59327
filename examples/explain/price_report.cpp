// SPDX-License-Identifier: BSL-1.0
//! @file
//! The prices as a table.

#include <algorithm>
#include <array>
#include <cstddef>

#include "price.hpp"
#include "text.hpp"

namespace explain {

namespace {

using row = std::array<std::string, 11>;

/// "4 cluster": of k.
std::string slices_text(priced_plan const& p) {
  return p.slices == 1 ? "1" : text("%d %.*s", p.slices, static_cast<int>(p.added.size()), p.added.data());
}

row row_of(priced_plan const& p, bool all_predicted) {
  auto const us = [](double seconds) { return seconds == 0 ? "-" : three_digits(seconds * 1e6); };
  return {std::string(p.policy) + (p.measured || all_predicted ? "" : " *"),
          slices_text(p),
          us(p.launch),
          us(p.blocks),
          us(p.lines),
          us(p.memory),
          us(p.slowest),
          us(p.ends),
          us(p.reduction),
          us(p.packing),
          us(p.price)};
}

}  // namespace

std::string report_of(prices const& p, std::size_t most) {
  if (p.plans.empty()) {
    return p.choice + "() can launch none of its candidates: " + p.refusal + ".\n";
  }
  std::vector<row> rows{
      {"policy", "slices", "launch", "blocks", "lines", "memory", "slowest", "ends", "reduce", "pack", "price"}};
  std::size_t const shown = std::min(most, p.plans.size());
  bool marked = false;
  for (std::size_t i = 0; i < shown; ++i) {
    rows.push_back(row_of(p.plans[i], p.predicted));
    marked = marked || (!p.predicted && !p.plans[i].measured);
  }
  std::string const table(p.table);
  std::string result = p.predicted ? "Predicted, not measured: rates of " + table +
                                         " with this GPU's multiprocessors, clock and bandwidth.\n"
                                   : "Rates as measured on " + table + ".\n";
  result += text(
      "%s() takes the first of these plans; %zu of %zu candidates. Microseconds:\n"
      "price = launch + slowest + ends + reduce + pack; slowest: of blocks, lines of the L2 and memory, softly.\n"
      "ends: a beginning and a store. slices of k are added in a cluster, in memory, in memory for the tail, or in the "
      "block.\n\n",
      p.choice.c_str(), shown, p.plans.size());
  std::array<std::size_t, 11> widths{};
  for (row const& r : rows) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      widths[i] = std::max(widths[i], r[i].size());
    }
  }
  for (row const& r : rows) {
    std::string line;
    for (std::size_t i = 0; i < r.size(); ++i) {
      line += text(i < 2 ? "  %-*s" : "  %*s", static_cast<int>(widths[i]), r[i].c_str());
    }
    result += line + "\n";
  }
  return result +
         (marked ? "  * predicted, not measured: the table has no row of this policy for these elements\n" : "");
}

}  // namespace explain
