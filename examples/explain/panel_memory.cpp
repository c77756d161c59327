// SPDX-License-Identifier: BSL-1.0
//! @file
//! What one instruction of a warp touches: sectors of global memory, banks of shared memory.

#include <algorithm>
#include <map>
#include <set>

#include "panels.hpp"

namespace explain {

namespace {

constexpr double label_width = 56, strip_width = half_width - label_width;

/// Pieces that several lanes ask for, once.
std::map<std::int64_t, std::vector<int>> lanes_by_address(warp_access const& access) {
  std::map<std::int64_t, std::vector<int>> result;
  for (piece const& p : access) {
    result[p.address].push_back(p.lane);
  }
  return result;
}

std::string verdict(operand_study const& o) {
  global_cost const cost = cost_of_global(o.load);
  if (lanes_by_address(o.load).size() == 1) {
    return "All threads ask for the same element, which is read once.";
  } else if (cost.used_bytes == 32 * cost.sectors) {
    return "Every byte that is fetched is used.";
  }
  int const used = cost.used_bytes / cost.sectors;
  return text("Only %d of every 32 bytes fetched %s used.", used, used == 1 ? "is" : "are");
}

double draw_load(svg& image, operand_study const& o, double x, double top) {
  global_cost const cost = cost_of_global(o.load);
  image.label(x, top, 13, text("%c: %d sector%s", o.name, cost.sectors, cost.sectors == 1 ? "" : "s"), heading);
  image.label(x, top + 16, 12, verdict(o), remark);

  // The sectors of each row (column) of the matrix that is touched. Rows need not begin with a sector.
  std::map<std::int64_t, std::set<std::int64_t>> lines;
  std::int64_t first = o.line_bytes, last = 0;  // bytes from where a row begins
  for (piece const& p : o.load) {
    std::int64_t const line = p.address / o.line_bytes;
    for (std::int64_t sector = p.address / 32; sector * 32 < p.address + p.bytes; ++sector) {
      lines[line].insert(sector);
      first = std::min(first, sector * 32 - line * o.line_bytes);
      last = std::max(last, sector * 32 + 32 - line * o.line_bytes);
    }
  }
  double const byte = std::min(2.6, strip_width / static_cast<double>(last - first));
  double const height = std::clamp(200.0 / static_cast<double>(lines.size()), 6.5, 16.0), begin = x + label_width;
  auto const at = [&](std::int64_t address, std::int64_t line) {
    return begin + byte * static_cast<double>(address - line * o.line_bytes - first);
  };
  std::map<std::int64_t, double> y_of;
  double y = top + 26;
  std::size_t number = 0;
  for (auto const& [line, sectors] : lines) {
    y_of[line] = y;
    if (height >= 10 || number % 4 == 0 || number + 1 == lines.size()) {
      image.label(begin - 6, y + height / 2 + 3.5, 10,
                  text("%s %lld", o.lines_are_rows ? "row" : "column", static_cast<long long>(line)), remark, "end");
    }
    for (std::int64_t const sector : sectors) {
      image.box(at(sector * 32, line), y, 32 * byte, height - 1, unused_fill);
    }
    y += height;
    ++number;
  }
  auto const pieces = lanes_by_address(o.load);
  bool const one_a_line = pieces.size() == lines.size() && pieces.size() > 1;
  cells drawn;
  for (auto const& [address, lanes] : pieces) {
    std::int64_t const line = address / o.line_bytes;
    double const line_y = y_of[line], from = at(address, line), w = byte * o.load.front().bytes;
    bool const alone = pieces.size() == 1 || one_a_line;
    drawn.add(from, line_y, w, height - 1, lane_fill(lanes.front()), alone ? "" : lanes_text(lanes),
              dark_lane(lanes.front()));
    if (alone && (lanes.front() % 4 == 0 || lanes.back() == 31)) {
      image.label(begin + byte * static_cast<double>(last - first) + 8, line_y + height / 2 + 3, 10,
                  pieces.size() == 1 ? "threads 0 to 31" : text("thread %d", lanes.front()), remark);
    }
  }
  drawn.draw(image, "stroke=\"none\"");
  image.group("fill=\"none\" stroke=\"#666\" stroke-width=\"0.7\"");
  for (auto const& [line, sectors] : lines) {
    for (std::int64_t const sector : sectors) {
      image.box(at(sector * 32, line), y_of[line], 32 * byte, height - 1, "");
    }
  }
  image.end_group();
  return y;
}

}  // namespace

double draw_passes(svg& image, std::string const& what, warp_access const& access, double x, double top) {
  auto const passes = passes_of(access);
  int const taken = static_cast<int>(passes.size()), least = least_passes(passes);
  image.label(x, top, 13, what + text(": %d pass%s", taken, taken == 1 ? "" : "es"), heading);
  image.label(x, top + 16, 12,
              taken == least ? text("No conflict: the least for %d bytes a thread.", access.front().bytes)
                             : text("Threads want different words of a bank: %d instead of %d.", taken, least),
              remark);
  double const bank = strip_width / 32, begin = x + label_width, height = taken > 12 ? 7 : 14;
  double y = top + 34;
  for (int i : {0, 8, 16, 24, 31}) {
    image.label(begin + bank * (i + 0.5), y - 4, 9, text(i == 0 ? "bank %d" : "%d", i), remark, "middle");
  }
  cells drawn;
  for (int n = 0; n < taken; ++n) {
    bank_pass const& pass = passes[static_cast<std::size_t>(n)];
    if (height > 10 || n % 4 == 0) {
      image.label(begin - 6, y + height / 2 + 3, 10, text("pass %d", n + 1),
                  pass.conflict ? "fill=\"#d7301f\"" : remark, "end");
    }
    drawn.add(begin, y, strip_width, height - 1.5, idle_fill);
    for (std::size_t i = 0; i < 32;) {
      std::size_t end = i + 1;
      while (end < 32 && pass.banks[end].index == pass.banks[i].index + static_cast<std::int64_t>(end - i) &&
             pass.banks[end].lanes == pass.banks[i].lanes) {
        ++end;
      }
      if (auto const& lanes = pass.banks[i].lanes; !lanes.empty()) {
        drawn.add(begin + bank * static_cast<double>(i), y, bank * static_cast<double>(end - i), height - 1.5,
                  pass.conflict ? conflict_fill : lane_fill(lanes.front()), lanes_text(lanes),
                  pass.conflict || dark_lane(lanes.front()));
      }
      i = end;
    }
    y += height;
  }
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"0.6\"");
  return y;
}

double draw_loads(svg& image, study const& s, double top) {
  image.label(left, top, 15, "2. What one load of warp 0 fetches from global memory, in sectors of 32 bytes", heading);
  return std::max(draw_load(image, s.a, left, top + 24), draw_load(image, s.b, right_half, top + 24));
}

double draw_banks(svg& image, study const& s, double top) {
  image.label(left, top, 15,
              "3. Shared memory has 32 banks; in a pass each serves one word of 4 bytes, to any number of threads",
              heading);
  double y = top + 24;
  y = std::max(draw_passes(image, "Writing A", s.a.write, left, y),
               draw_passes(image, "Writing B", s.b.write, right_half, y));
  y += 26;
  return std::max(draw_passes(image, "Reading A", s.a.read, left, y),
                  draw_passes(image, "Reading B", s.b.read, right_half, y));
}

}  // namespace explain
