// SPDX-License-Identifier: BSL-1.0
//! @file
//! The parts of a picture, and the colours that they share.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "study.hpp"
#include "svg.hpp"
#include "text_width.hpp"

namespace explain {

/// Each draws from `top` downward and returns where it ends.
double draw_ownership(svg& image, study const& s, double top);
double draw_loads(svg& image, study const& s, double top);
double draw_banks(svg& image, study const& s, double top);
double draw_time(svg& image, study const& s, double top);
double draw_legend(svg& image, study const& s, double top);

inline constexpr double left = 24, right_half = 496, half_width = 440, full_width = svg::width - 2 * left;

/// The passes of one instruction over the banks.
double draw_passes(svg& image, std::string const& what, warp_access const& access, double x, double top,
                   double width = half_width);

inline constexpr char heading[] = "font-weight=\"bold\"";
inline constexpr char remark[] = "fill=\"#555\"";
inline constexpr char unused_fill[] = "fill=\"#f7c6c1\"";
inline constexpr char conflict_fill[] = "fill=\"#d7301f\"";
inline constexpr char idle_fill[] = "fill=\"#ededed\"";
inline constexpr char chosen_fill[] = "fill=\"#ffc61a\"";

/// From light to dark blue, lane 0 to 31.
inline std::string lane_fill(int lane) {
  auto const mix = [&](int from, int to) { return from + (to - from) * lane / 31; };
  return text("fill=\"#%02x%02x%02x\"", mix(0xcf, 0x08), mix(0xe2, 0x45), mix(0xf7, 0x94));
}

/// Whether a text on it must be white.
constexpr bool dark_lane(int lane) { return lane >= 16; }

/// "5", "0-15", "0,2", "all", or how many.
inline std::string lanes_text(std::vector<int> const& lanes) {
  int const count = static_cast<int>(lanes.size());
  if (count == 1) {
    return text("%d", lanes.front());
  } else if (count == 32) {
    return "all";
  } else if (lanes.back() - lanes.front() == count - 1) {
    return text("%d-%d", lanes.front(), lanes.back());
  } else if (count > 4) {
    return text("%d threads", count);
  }
  std::string list;
  for (int const lane : lanes) {
    list += text(list.empty() ? "%d" : ",%d", lane);
  }
  return list;
}

/// Boxes with something written into them, in one size for all: in none if it does not fit into one. Between the texts
/// of neighbours there is room as between words.
class cells {
 public:
  static constexpr double largest = 9, smallest = 6.8;

  static constexpr double between = 0.45;  ///< neighbours, in sizes

  /// The size in which a text has room in a box of this width.
  static constexpr double size_in(double width, std::string_view label) {
    return width / (width_of(label, 1) + between);
  }

  void add(double x, double y, double w, double h, std::string const& fill, std::string const& label = "",
           bool white = false) {
    auto at = std::find_if(fills_.begin(), fills_.end(), [&](auto const& f) { return f.first == fill; });
    if (at == fills_.end()) {
      at = fills_.insert(at, {fill, {}});
    }
    at->second.push_back({x, y, w, h});
    if (!label.empty()) {
      size_ = std::min({size_, size_in(w, label), h * 0.95});
      labels_.push_back({x + w / 2, y + h / 2, label, white});
    }
  }

  /// Whether there was room for the labels.
  bool draw(svg& image, char const* attributes) const {
    image.group(attributes);
    for (auto const& [fill, places] : fills_) {
      image.boxes(places, fill.c_str());
    }
    image.end_group();
    bool const fits = size_ >= smallest;
    for (bool const white : {false, true}) {
      image.group(text("font-size=\"%.1f\" text-anchor=\"middle\"%s", size_, white ? " fill=\"#fff\"" : "").c_str());
      for (auto const& l : labels_) {
        if (fits && l.white == white) {
          image.label(l.x, l.y + size_ * 0.36, l.what);
        }
      }
      image.end_group();
    }
    return fits;
  }

 private:
  struct centred {
    double x, y;
    std::string what;
    bool white;
  };

  std::vector<std::pair<std::string, std::vector<std::array<double, 4>>>> fills_;
  std::vector<centred> labels_;
  double size_ = largest;
};

}  // namespace explain
