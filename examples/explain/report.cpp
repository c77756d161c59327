// SPDX-License-Identifier: BSL-1.0
//! @file
//! The account as text.

#include "report.hpp"

#include <cstddef>

#include "text.hpp"

namespace explain {

namespace {

std::string scaled(double value, double base, std::vector<char const*> const& units) {
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= base;
    ++unit;
  }
  return three_digits(value) + " " + units[unit];
}

/// Whole percent, rounded down: 32 of 48 warps are 66 %.
int percent(double share) { return static_cast<int>(100 * share); }

/// The elements of one thread: how many, and in which pieces of neighbours.
std::string thread_text(study const& s) {
  std::vector<int> const rows = rows_of(s, 0), columns = columns_of(s, 0);
  auto const run = [](std::vector<int> const& lines) {
    std::size_t length = 1;
    while (length < lines.size() && lines[length] == lines[length - 1] + 1) {
      ++length;
    }
    return length;
  };
  std::size_t const run_m = run(rows), run_n = run(columns), count = rows.size() * columns.size();
  if (count == 1) {
    return "1 element of C";
  }
  std::string result = text("%zu x %zu = %zu elements of C", rows.size(), columns.size(), count);
  if (run_m * run_n < count) {
    result += text(", in %zu pieces of %zu x %zu", count / (run_m * run_n), run_m, run_n);
  }
  return result;
}

std::string load_text(operand_study const& o) {
  global_cost const cost = cost_of_global(o.load);
  return text("%d byte%s a lane: %d sector%s of 32 bytes, %d %% of them used; %d line%s of 128", o.load.front().bytes,
              o.load.front().bytes == 1 ? "" : "s", cost.sectors, cost.sectors == 1 ? "" : "s",
              percent(cost.used_bytes / (32.0 * cost.sectors)), cost.lines, cost.lines == 1 ? "" : "s");
}

std::string shared_text(warp_access const& access) {
  auto const passes = passes_of(access);
  int const least = least_passes(passes), taken = static_cast<int>(passes.size());
  std::string result =
      text("%d bytes a lane: %d pass%s over the banks", access.front().bytes, taken, taken == 1 ? "" : "es");
  return result + (taken == least ? ", no conflict" : text(", %d without conflicts", least));
}

std::string hierarchy(study const& s) {
  std::string result = "\nTiles\n";
  result += text("  C              %lld x %lld blocks\n", wide(s.tiles_m()), wide(s.tiles_n()));
  result +=
      text("  a block        %d x %d elements of C, %d warps, %d threads", s.block_m, s.block_n, s.warps(), s.threads);
  result += s.facts.from == feed::global ? "\n" : text("; %d of k at a time\n", s.block_k);
  extent const w = extent_of_warp(s, 0);
  result += text("  a warp         32 threads in %d x %d elements\n", w.rows, w.columns);
  result += "  a thread       " + thread_text(s) + "\n";
  result += s.stages > 0 ? text("  in a ring      %d tiles of A and B\n", s.stages) : "";
  if (s.facts.from == feed::widening) {
    result += s.ahead > 0 ? text("  waiting        %d tile of A and B, in %d bytes of a thread's registers\n", s.ahead,
                                 s.waiting_bytes)
                          : "  waiting        none: lines of A or B are not aligned to the loads\n";
  }
  if (s.sum_bytes != s.element_bytes) {
    result +=
        text("  elements       %d byte%s in global memory, widened to %d in %sregisters\n", s.element_bytes,
             s.element_bytes > 1 ? "s" : "", s.sum_bytes, s.facts.from == feed::global ? "" : "shared memory and ");
  }
  return result +
         (s.type == "float" ? "" : "  Who owns what is by the policy's kernel for float, the same for all types.\n");
}

std::string residency(study const& s, device_limits const& device) {
  occupancy const o = occupancy_of(s, device);
  waves const w = waves_of(s, device);
  std::string result = "\nBlocks on a multiprocessor\n";
  result +=
      text("  by registers        %4d   %d a thread (%s)\n", o.by_registers, s.registers, s.registers_known.c_str());
  result += text("  by threads          %4d   %d of %d\n", o.by_threads, s.threads, device.threads);
  result += text("  by shared memory    %4d   %d + %d bytes of %d\n", o.by_shared_memory, s.shared_bytes,
                 device.reserved_shared_bytes, device.shared_bytes);
  result += text("  by block slots      %4d\n", o.by_blocks);
  result += text("  so                  %4d   %d of %d warps, %d %%; limited by %s\n", o.blocks, o.warps, o.most_warps,
                 percent(o.share()), o.limited_by().c_str());
  if (o.blocks == 0) {
    return result + "  The kernel cannot run on this device.\n";
  }
  result += text("\nWaves\n  %lld blocks in %lld places: %.2f waves; the last fills %d %% of the device\n",
                 wide(w.blocks), wide(w.slots), w.count(), percent(w.last()));
  return result;
}

std::string traffic(study const& s) {
  work const w = work_of(s);
  std::string result = text("\nBytes for %.4g operations            operations a byte\n", w.flops);
  auto const level = [&](char const* name, double bytes) {
    result += text("  %-30s %9s   %s\n", name, bytes_text(bytes).c_str(), three_digits(w.flops / bytes).c_str());
  };
  level("DRAM: A, B and C once", w.dram_bytes);
  level("loads from global memory", w.global_bytes);
  if (s.facts.from != feed::global) {
    result += text("  %-30s %9s\n", "  of one block",
                   bytes_text(w.global_bytes / static_cast<double>(s.tiles_m() * s.tiles_n())).c_str());
    level("shared memory to registers", w.shared_bytes);
  }
  return result;
}

std::string instructions(study const& s) {
  std::string result = text("\nMemory instructions: %s for %d multiply-adds of a thread; the first of warp 0\n",
                            three_digits(s.memory_instructions()).c_str(), s.multiply_adds());
  for (operand_study const* o : {&s.a, &s.b}) {
    result += text("  load %c         %s\n", o->name, load_text(*o).c_str());
    if (!o->read.empty()) {
      result += text("  write %c        %s\n", o->name, shared_text(o->write).c_str());
      result += text("  read %c         %s\n", o->name, shared_text(o->read).c_str());
    }
  }
  return result;
}

std::string bound(study const& s, device_limits const& device) {
  work const w = work_of(s);
  least_time const t = least_time_of(device, s.summed_in, w);
  std::string result = "\nLeast time\n";
  result += text("  arithmetic     %9s   %.3g T%s/s\n", seconds_text(t.arithmetic).c_str(),
                 w.flops / t.arithmetic * 1e-12, s.summed_in == sums::i32 ? "OP" : "FLOP");
  result += text("  DRAM           %9s   %.3g TB/s\n", seconds_text(t.dram).c_str(), device.bandwidth * 1e-12);
  result += text("  L1 and shared  %9s   %.3g passes, one a clock of each multiprocessor\n",
                 seconds_text(t.passes).c_str(), w.passes);
  return result + text("  so             %9s   set by %s\n", seconds_text(t.seconds()).c_str(), t.set_by());
}

}  // namespace

std::string bytes_text(double bytes) { return scaled(bytes, 1000, {"B", "kB", "MB", "GB", "TB", "PB"}); }

std::string seconds_text(double seconds) { return scaled(seconds * 1e9, 1000, {"ns", "us", "ms", "s"}); }

std::string head_of(study const& s, device_limits const& device) {
  return text("%s (rung %d) on %s\n", s.policy.c_str(), s.facts.number, device.name.c_str()) + problem_text(s) + "\n" +
         s.facts.idea + "\n";
}

std::string problem_text(problem_size const& size, std::string const& type, std::string const& storage) {
  long long const m = wide(size.m), n = wide(size.n), k = wide(size.k);
  return text("C (%lld x %lld) = A (%lld x %lld) B (%lld x %lld), %s, %s", m, n, m, k, k, n, type.c_str(),
              storage.c_str());
}

std::string problem_text(study const& s) { return problem_text(s.size, s.type, s.storage); }

std::string report_of(study const& s, device_limits const& device) {
  return head_of(s, device) + hierarchy(s) + residency(s, device) + traffic(s) + instructions(s) + bound(s, device);
}

}  // namespace explain
