// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a pipeline is for: when a block copies and when it multiplies.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "panels.hpp"

namespace explain {

namespace {

constexpr double begin = left + 130, end = svg::width - left, copy_time = 64, multiply_time = 92, bar = 18;
constexpr char copy_fill[] = "fill=\"#c9d8e6\"", multiply_fill[] = "fill=\"#a6d8a8\"";

/// A bar of a time line, cut off at the picture's edge.
void draw_bar(cells& drawn, double start, double duration, double y, char const* fill, std::string const& what) {
  double const x = begin + start, w = std::min(duration, end - x);
  if (w > 0) {
    drawn.add(x, y, w, bar, fill, w < duration ? "" : what);
  }
}

}  // namespace

double draw_time(svg& image, study const& s, double top) {
  bool const waits = s.facts.from == feed::widening;
  image.label(left, top, 15,
              waits ? "4. Fetching while multiplying: the next tile waits in registers (not to scale)"
                    : text("4. Copying while multiplying: %d tiles of A and B in a ring (not to scale)", s.stages),
              heading);
  cells drawn;
  double y = top + 18;
  image.label(begin - 10, y + 13, 12, "rungs 3 to 7", remark, "end");
  double now = 0;
  for (int tile = 0; begin + now < end; ++tile) {
    draw_bar(drawn, now, copy_time, y, copy_fill, text("copy %d", tile));
    draw_bar(drawn, now + copy_time, multiply_time, y, multiply_fill, text("multiply %d", tile));
    now += copy_time + multiply_time;
  }
  y += bar + 14;
  image.label(begin - 10, y + 13, 12, waits ? "this rung: fetches" : "this rung: copies", remark, "end");
  image.label(begin - 10, y + bar + 15, 12, "arithmetic", remark, "end");
  // A tile may be copied when the one that had its place has been multiplied.
  std::size_t const ring = static_cast<std::size_t>(s.ahead) + 1;
  std::vector<double> copied, multiplied;
  for (std::size_t tile = 0; tile < ring || begin + multiplied[tile - ring] < end; ++tile) {
    double const free = tile < ring ? 0 : multiplied[tile - ring];
    double const copy = std::max(free, tile > 0 ? copied.back() : 0);
    double const multiply = std::max(copy + copy_time, tile > 0 ? multiplied.back() : 0);
    draw_bar(drawn, copy, copy_time, y, copy_fill, text(waits ? "fetch %zu" : "copy %zu", tile));
    draw_bar(drawn, multiply, multiply_time, y + bar + 2, multiply_fill, text("multiply %zu", tile));
    copied.push_back(copy + copy_time);
    multiplied.push_back(multiply + multiply_time);
  }
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"1\"");
  return y + 2 * bar + 2;
}

}  // namespace explain
