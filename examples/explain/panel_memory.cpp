// SPDX-License-Identifier: BSL-1.0
//! @file
//! What one instruction of a warp touches: sectors of global memory, banks of shared memory.

#include <algorithm>
#include <map>
#include <set>

#include "panels.hpp"

namespace explain {

namespace {

constexpr double label_width = 56;

/// Whether a lane's number has room in a box of this width.
constexpr bool has_room(double box) { return cells::size_in(box, "31") >= cells::largest; }

/// Two panels side by side, or where that is too narrow one above the other: draw(number, x, top, width) draws one.
template <class Draw>
double draw_two(bool narrow, double top, Draw draw) {
  if (!narrow) {
    return std::max(draw(0, left, top, half_width), draw(1, right_half, top, half_width));
  }
  return draw(1, left, draw(0, left, top, full_width) + 26, full_width);
}

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

/// The sectors of each row (column) of the matrix that a load touches. Rows need not begin with a sector.
struct touched_lines {
  std::map<std::int64_t, std::set<std::int64_t>> sectors;
  std::map<std::int64_t, std::vector<int>> pieces;
  std::int64_t first, last = 0;  // bytes from where a row begins

  explicit touched_lines(operand_study const& o) : pieces(lanes_by_address(o.load)), first(o.line_bytes) {
    for (piece const& p : o.load) {
      std::int64_t const line = p.address / o.line_bytes;
      for (std::int64_t sector = p.address / 32; sector * 32 < p.address + p.bytes; ++sector) {
        sectors[line].insert(sector);
        first = std::min(first, sector * 32 - line * o.line_bytes);
        last = std::max(last, sector * 32 + 32 - line * o.line_bytes);
      }
    }
  }
  /// How wide a byte is drawn in a panel.
  double byte_in(double width) const {
    double const most = width > half_width ? 6.5 : 2.6;
    return std::min(most, (width - label_width) / static_cast<double>(last - first));
  }
  /// Whether lanes are told beside the lines, not in them.
  bool tells_beside() const { return pieces.size() == 1 || pieces.size() == sectors.size(); }
};

double draw_load(svg& image, operand_study const& o, double x, double top, double width) {
  global_cost const cost = cost_of_global(o.load);
  image.label(x, top, 13, text("%c: %d sector%s", o.name, cost.sectors, cost.sectors == 1 ? "" : "s"), heading);
  image.label(x, top + 16, 12, verdict(o), remark);

  touched_lines const touched(o);
  auto const& lines = touched.sectors;
  std::int64_t const first = touched.first, last = touched.last;
  double const byte = touched.byte_in(width);
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
  auto const& pieces = touched.pieces;
  cells drawn;
  for (auto const& [address, lanes] : pieces) {
    std::int64_t const line = address / o.line_bytes;
    double const line_y = y_of[line], from = at(address, line), w = byte * o.load.front().bytes;
    bool const alone = touched.tells_beside();
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

double draw_passes(svg& image, std::string const& what, warp_access const& access, double x, double top, double width) {
  auto const passes = passes_of(access);
  int const taken = static_cast<int>(passes.size()), least = least_passes(passes);
  image.label(x, top, 13, what + text(": %d pass%s", taken, taken == 1 ? "" : "es"), heading);
  image.label(x, top + 16, 12,
              taken == least ? text("No conflict: the least for %d bytes a thread.", access.front().bytes)
                             : text("Threads want different words of a bank: %d instead of %d.", taken, least),
              remark);
  double const strip_width = width - label_width;
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
  auto const narrow = [](operand_study const& o) {
    touched_lines const touched(o);
    return !touched.tells_beside() && !has_room(touched.byte_in(half_width) * o.load.front().bytes);
  };
  return draw_two(narrow(s.a) || narrow(s.b), top + 24, [&](int number, double x, double y, double width) {
    return draw_load(image, number == 0 ? s.a : s.b, x, y, width);
  });
}

double draw_banks(svg& image, study const& s, double top) {
  image.label(left, top, 15,
              "3. Shared memory has 32 banks; in a pass each serves one word of 4 bytes, to any number of threads",
              heading);
  auto const narrow = [](warp_access const& access) {
    return lanes_by_address(access).size() > 1 && !has_room((half_width - label_width) / 128 * access.front().bytes);
  };
  auto const draw = [&](char const* what_a, warp_access const& a, char const* what_b, warp_access const& b,
                        double from) {
    return draw_two(narrow(a) || narrow(b), from, [&](int number, double x, double y, double width) {
      return draw_passes(image, number == 0 ? what_a : what_b, number == 0 ? a : b, x, y, width);
    });
  };
  double const y = draw("Writing A", s.a.write, "Writing B", s.b.write, top + 24);
  return draw("Reading A", s.a.read, "Reading B", s.b.read, y + 26);
}

}  // namespace explain
