// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies side by side.

#include <algorithm>
#include <cstddef>

#include "report.hpp"
#include "ring.hpp"
#include "text.hpp"

namespace explain {

namespace {

using table = std::vector<std::vector<std::string>>;

std::string used_text(warp_access const& load) {
  global_cost const cost = cost_of_global(load);
  return text("%d (%d %%)", cost.sectors, 100 * cost.used_bytes / (32 * cost.sectors));
}

std::string passes_text(warp_access const& read) {
  auto const passes = passes_of(read);
  int const taken = static_cast<int>(passes.size()), least = least_passes(passes);
  return taken == least ? text("%d", taken) : text("%d (least %d)", taken, least);
}

std::vector<std::string> residency_of(study const& s, device_limits const& device) {
  occupancy const o = occupancy_of(s, device);
  return {s.policy,
          text("%d", s.threads),
          text("%zu x %zu", rows_of(s, 0).size(), columns_of(s, 0).size()),
          text("%d", s.registers),
          text("%d", s.shared_bytes),
          text("%d", o.blocks),
          o.limited_by(),
          text("%d of %d", o.warps, o.most_warps),
          o.blocks > 0 ? text("%.2f", waves_of(s, device).count()) : "-"};
}

std::vector<std::string> movement_of(study const& s, device_limits const& device) {
  work const w = work_of(s);
  least_time const t = least_time_of(device, s.summed_in, w);
  bool const shares = s.facts.from != feed::global;
  return {s.policy,
          used_text(s.a.load),
          used_text(s.b.load),
          shares ? passes_text(s.a.write) : "-",
          shares ? passes_text(s.a.read) : "-",
          shares ? passes_text(s.b.read) : "-",
          three_digits(s.memory_instructions() / s.multiply_adds()),
          three_digits(w.flops / w.global_bytes),
          shares ? three_digits(w.flops / w.shared_bytes) : "-",
          seconds_text(t.passes),
          seconds_text(t.arithmetic)};
}

/// Columns of equal width; all but the first are right-aligned.
std::string aligned(table const& lines) {
  std::vector<int> widths(lines.front().size(), 3);
  for (auto const& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], static_cast<int>(line[i].size()));
    }
  }
  std::string result;
  auto const append = [&](std::vector<std::string> const& line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      result += text(i == 0 ? "| %-*s " : "| %*s ", widths[i], line[i].c_str());
    }
    result += "|\n";
  };
  append(lines.front());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    result += '|';
    result.append(static_cast<std::size_t>(widths[i]) + 1, '-');
    result += i == 0 ? '-' : ':';
  }
  result += "|\n";
  std::for_each(lines.begin() + 1, lines.end(), append);
  return result;
}

}  // namespace

std::string summary_of(std::vector<study> const& studies, device_limits const& device) {
  table residency{{"policy", "threads", "elements of a thread", "registers", "shared bytes", "blocks on an SM",
                   "limited by", "warps", "waves"}};
  table movement{{"policy", "load A: sectors", "load B", "write A: passes", "read A", "read B",
                  "memory instructions a multiply-add", "operations a byte: global", "shared",
                  "least time: L1 and shared", "arithmetic"}};
  for (study const& s : studies) {
    residency.push_back(residency_of(s, device));
    movement.push_back(movement_of(s, device));
  }
  return aligned(residency) + "\n" + aligned(movement);
}

std::string summary_of(std::vector<ring_study> const& studies, device_limits const& device) {
  table lines{{"policy", "elements", "threads: bring", "multiply", "registers at launch", "then: bring", "multiply",
               "shared bytes", "stages", "of bytes", "blocks on an SM", "limited by", "cluster", "wgmma",
               "read A: passes", "read B"}};
  for (ring_study const& s : studies) {
    study const& t = s.tile;
    occupancy const o = occupancy_of(s, device);
    bool const reads = s.wgmma_n == 0;
    lines.push_back({t.policy, t.type + ", " + t.storage, text("%d", s.producer_threads), text("%d", t.threads),
                     text("%d", s.registers), text("%d", s.producer_registers), text("%d", s.consumer_registers),
                     text("%d", t.shared_bytes), text("%d", t.stages),
                     text("%lld", static_cast<long long>(s.stage_bytes())), text("%d", o.blocks), o.limited_by(),
                     text("%d x %d", s.cluster_m, s.cluster_n), reads ? "-" : text("m64n%dk%d", s.wgmma_n, s.wgmma_k),
                     reads ? passes_text(t.a.read) : "-", reads ? passes_text(t.b.read) : "-"});
  }
  return aligned(lines);
}

}  // namespace explain
