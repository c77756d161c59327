// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies side by side.

#include <algorithm>
#include <cstddef>
#include <string_view>

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

/// "registers, shared memory".
std::string limits_text(occupancy const& o) {
  std::string result = o.limited_by();
  constexpr std::string_view word = " and ";
  for (std::size_t at = result.find(word); at != result.npos; at = result.find(word)) {
    result.replace(at, word.size(), ", ");
  }
  return result;
}

std::vector<std::string> residency_of(study const& s, device_limits const& device) {
  occupancy const o = occupancy_of(s, device);
  return {s.policy,
          text("%d", s.threads),
          text("%zu x %zu", rows_of(s, 0).size(), columns_of(s, 0).size()),
          text("%d", s.registers),
          text("%d", s.shared_bytes),
          text("%d", o.blocks),
          limits_text(o),
          text("%d", o.warps),
          o.blocks > 0 ? three_digits(waves_of(s, device).count()) : "-"};
}

std::vector<std::string> movement_of(study const& s) {
  bool const shares = s.facts.from != feed::global;
  return {s.policy,
          used_text(s.a.load),
          used_text(s.b.load),
          shares ? passes_text(s.a.write) : "-",
          shares ? passes_text(s.a.read) : "-",
          shares ? passes_text(s.b.read) : "-",
          three_digits(s.memory_instructions() / s.multiply_adds())};
}

std::vector<std::string> bounds_of(study const& s, device_limits const& device) {
  work const w = work_of(s);
  least_time const t = least_time_of(device, s.summed_in, w);
  return {s.policy, three_digits(w.flops / w.global_bytes),
          s.facts.from != feed::global ? three_digits(w.flops / w.shared_bytes) : "-", seconds_text(t.passes),
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
  table residency{{"policy", "threads", "each", "registers", "shared", "blocks", "limited by", "warps", "waves"}};
  table movement{{"policy", "load A", "load B", "write A", "read A", "read B", "instructions"}};
  table bounds{{"policy", "operations a byte: global", "shared", "least time: L1 and shared", "arithmetic"}};
  for (study const& s : studies) {
    residency.push_back(residency_of(s, device));
    movement.push_back(movement_of(s));
    bounds.push_back(bounds_of(s, device));
  }
  return text(
             "Threads of a block, elements of C and registers of each, bytes of shared memory; blocks and warps (of "
             "%d) on "
             "a\nmultiprocessor:\n\n",
             device.threads / 32) +
         aligned(residency) +
         "\nSectors of a load of A and B, and how much of them is used; passes of a write and a read of shared memory; "
         "memory\ninstructions a multiply-add:\n\n" +
         aligned(movement) +
         "\nOperations a byte of loads from global memory and reads from shared memory; the least times:\n\n" +
         aligned(bounds);
}

std::string summary_of(std::vector<ring_study> const& studies, device_limits const& device) {
  table residency{{"policy", "elements", "threads", "registers", "shared", "stages", "cluster"}};
  table reads{{"policy", "blocks", "limited by", "wgmma", "read A", "read B"}};
  for (ring_study const& s : studies) {
    study const& t = s.tile;
    occupancy const o = occupancy_of(s, device);
    bool const by_threads = s.wgmma_n == 0;
    residency.push_back({t.policy, t.type + ", " + t.storage, text("%d + %d", s.producer_threads, t.threads),
                         text("%d: %d, %d", s.registers, s.producer_registers, s.consumer_registers),
                         text("%d", t.shared_bytes),
                         text("%d x %lld", t.stages, static_cast<long long>(s.stage_bytes())),
                         text("%d x %d", s.cluster_m, s.cluster_n)});
    reads.push_back({t.policy, text("%d", o.blocks), limits_text(o),
                     by_threads ? "-" : text("m64n%dk%d", s.wgmma_n, s.wgmma_k),
                     by_threads ? passes_text(t.a.read) : "-", by_threads ? passes_text(t.b.read) : "-"});
  }
  return "Threads that load and that multiply; registers of a thread at launch, and then of each by setmaxnreg; bytes "
         "of "
         "shared\nmemory and of a stage; blocks of a cluster:\n\n" +
         aligned(residency) +
         "\nBlocks on a multiprocessor, the tensor cores' instruction, passes of a read of shared memory by "
         "threads:\n\n" +
         aligned(reads);
}

}  // namespace explain
