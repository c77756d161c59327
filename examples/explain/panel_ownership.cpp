// SPDX-License-Identifier: BSL-1.0
//! @file
//! Who computes what: C, one block of it, one warp of that, one thread of that.

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "panels.hpp"

namespace explain {

namespace {

constexpr double size = 205, pitch = 235.6;

/// A drawing of rows x columns elements in a panel of `size`: square elements, unless it would be too thin to see.
struct frame {
  double x, y, w, h;
  int rows, columns;

  frame(int panel, double top, int of_rows, int of_columns)
      : x(left + panel * pitch), y(top), rows(of_rows), columns(of_columns) {
    double const element = size / std::max(rows, columns);
    w = std::max(element * columns, 26.0);
    h = std::max(element * rows, 26.0);
  }
  double at_column(int column) const { return x + w * column / columns; }
  double at_row(int row) const { return y + h * row / rows; }
};

struct area {
  int row, column, rows, columns, key;
};

/// Cuts rows x columns elements into rectangles of one key each; elements with a negative key are left out.
std::vector<area> areas_of(int rows, int columns, std::function<int(int, int)> const& key) {
  std::vector<area> done, open;
  for (int row = 0; row <= rows; ++row) {
    std::vector<area> runs;
    for (int column = 0; row < rows && column < columns; ++column) {
      int const here = key(row, column);
      if (!runs.empty() && runs.back().key == here && runs.back().column + runs.back().columns == column) {
        ++runs.back().columns;
      } else if (here >= 0) {
        runs.push_back({row, column, 1, 1, here});
      }
    }
    for (area const& above : open) {
      auto const below = std::find_if(runs.begin(), runs.end(), [&](area const& a) {
        return a.key == above.key && a.column == above.column && a.columns == above.columns;
      });
      if (below == runs.end()) {
        done.push_back(above);
      } else {
        below->row = above.row;
        below->rows = above.rows + 1;
      }
    }
    open = runs;
  }
  return done;
}

/// Lines from a part of one drawing to all of the next.
void draw_zoom(svg& image, double x, double y, double h, frame const& to) {
  image.group("stroke=\"#c9a13a\" stroke-width=\"0.7\" stroke-dasharray=\"3 2\" fill=\"none\"");
  image.line(x, y, to.x, to.y);
  image.line(x, y + h, to.x, to.y + to.h);
  image.end_group();
}

void caption(svg& image, int panel, double top, std::string const& what, std::string const& more) {
  image.label(left + panel * pitch, top + 22, 13, what, heading);
  image.label(left + panel * pitch, top + 38, 12, more, remark);
}

constexpr char outline[] = "fill=\"none\" stroke=\"#b8860b\" stroke-width=\"2\"";

/// The first corner of C, in blocks.
void draw_matrix(svg& image, study const& s, double top, frame const& block) {
  constexpr double most = size - 24;
  double const unit = 62.0 / std::max(s.block_m, s.block_n);
  double const w = std::max(unit * s.block_n, 8.0), h = std::max(unit * s.block_m, 8.0);
  double const all_w = w * static_cast<double>(s.tiles_n()), all_h = h * static_cast<double>(s.tiles_m());
  double const shown_w = std::min(all_w, most), shown_h = std::min(all_h, most);
  image.box(left, top, shown_w, shown_h, "fill=\"#f4f7fb\"");
  image.group("stroke=\"#9db4cf\" fill=\"none\"");
  for (double x = 0; x < shown_w + 0.1; x += w) {
    image.line(left + x, top, left + x, top + shown_h);
  }
  for (double y = 0; y < shown_h + 0.1; y += h) {
    image.line(left, top + y, left + shown_w, top + y);
  }
  image.end_group();
  if (shown_w < all_w) {
    image.label(left + shown_w + 4, top + 12, 14, "...", remark);
  }
  if (shown_h < all_h) {
    image.label(left, top + shown_h + 10, 14, "...", remark);
  }
  image.box(left, top, w, h, chosen_fill);
  image.box(left, top, w, h, outline);
  draw_zoom(image, left + w, top, h, block);
}

/// Whether some threads load and others multiply.
bool has_ring(study const& s) { return s.facts.from == feed::tma || s.facts.from == feed::tensor_cores; }

/// What is drawn of warp 0: of those with rings 16 x 16 elements, which all of its threads have a part of.
extent drawn_of_warp(study const& s) {
  extent const e = extent_of_warp(s, 0);
  return has_ring(s) ? extent{e.row, e.column, 16, 16} : e;
}

/// Where an area lies in a drawing.
struct place {
  double x, y, w, h;

  place(frame const& f, area const& a)
      : x(f.at_column(a.column)),
        y(f.at_row(a.row)),
        w(f.at_column(a.column + a.columns) - x),
        h(f.at_row(a.row + a.rows) - y) {}
};

void draw_block(svg& image, study const& s, frame const& f, frame const& warp) {
  static constexpr char const* pastels[] = {"fill=\"#dfe9f5\"", "fill=\"#e8e3f1\"", "fill=\"#dff0e6\"",
                                            "fill=\"#f3ecdc\""};
  cells drawn;
  auto const areas = areas_of(s.block_m, s.block_n, [&](int row, int column) { return s.owner_of(row, column) / 32; });
  for (area const& a : areas) {
    bool const of_several =
        std::count_if(areas.begin(), areas.end(), [&](area const& b) { return b.key == a.key; }) > 1;
    place const at(f, a);
    int const colour = (a.row / a.rows + a.column / a.columns) % 4;  // neighbours differ
    // Where there is no room for all numbers, every fourth reaches over its neighbours.
    bool const thin = at.h < 9 && at.w > 60;
    drawn.add(at.x, at.y, at.w, at.h, a.key == 0 ? chosen_fill : pastels[colour],
              thin         ? ""
              : of_several ? text("warp %d, rows %d-%d", a.key, a.row, a.row + a.rows - 1)
                           : text(at.w > 38 ? "warp %d" : "%d", a.key));
    if (thin && a.key % 4 == 0 && a.key > 0) {  // warp 0 is marked
      drawn.add(at.x, at.y - 2, at.w, at.h + 4, "fill=\"none\"", text("warp %d", a.key));
    }
  }
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"0.6\"");
  extent const e = drawn_of_warp(s);
  place const chosen(f, {e.row, e.column, e.rows, e.columns, 0});
  image.box(chosen.x, chosen.y, chosen.w, chosen.h, outline);
  draw_zoom(image, chosen.x + chosen.w, chosen.y, chosen.h, warp);
}

void draw_warp(svg& image, study const& s, frame const& f) {
  extent const e = drawn_of_warp(s);
  auto const areas = areas_of(e.rows, e.columns, [&](int row, int column) {
    int const owner = s.owner_of(e.row + row, e.column + column);
    return owner / 32 == 0 ? owner : -1;
  });
  cells drawn;
  for (area const& a : areas) {
    place const at(f, a);
    drawn.add(at.x, at.y, at.w, at.h, a.key == 0 ? chosen_fill : lane_fill(a.key), text("%d", a.key), dark_lane(a.key));
  }
  if (drawn.draw(image, "stroke=\"#fff\" stroke-width=\"0.6\"")) {
    return;
  }
  for (int lane = 0; lane < 32; lane += lane == 24 ? 7 : 8) {
    place const at(f, *std::find_if(areas.begin(), areas.end(), [&](area const& a) { return a.key == lane; }));
    if (e.columns == 1) {
      image.label(f.x + f.w + 6, at.y + at.h / 2 + 3.5, 10, text("thread %d", lane), remark);
    } else {
      image.label(at.x + at.w / 2, f.y + f.h + 12, 10, text("%d", lane), remark, "middle");
    }
  }
}

constexpr char value_fill[] = "fill=\"#74a9cf\"";

/// The accumulators of a thread between what it multiplies; what the tensor cores add to, by itself.
void draw_thread(svg& image, study const& s, double top) {
  bool const reads = s.facts.from != feed::tensor_cores;
  int rows = static_cast<int>(rows_of(s, 0).size()), columns = static_cast<int>(columns_of(s, 0).size());
  if (!reads) {
    rows = rows * columns / 8;
    columns = 8;
  }
  double const cell = std::min(17.0, 136.0 / std::max(rows, columns));
  double const x = left + 3 * pitch + cell + 6, y = top + cell + 18;
  cells drawn;
  for (int i = 0; i < rows; ++i) {
    if (reads) {
      drawn.add(x - cell - 6, y + i * cell, cell, cell, value_fill);
    }
    for (int j = 0; j < columns; ++j) {
      drawn.add(x + j * cell, y + i * cell, cell, cell, chosen_fill);
    }
  }
  for (int j = 0; reads && j < columns; ++j) {
    drawn.add(x + j * cell, y - cell - 6, cell, cell, value_fill);
  }
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"0.8\"");
  if (reads) {
    image.label(x - cell / 2 - 6, y + rows * cell + 14, 11, "A", remark, "middle");
    image.label(x + columns * cell + 6, y - cell / 2 - 2, 11, "B", remark);
  }
  image.label(x, y + rows * cell + 14, 11, rows * columns == 1 ? "an accumulator" : "accumulators", remark);
}

/// How many warps own elements of a tile.
int owning_warps(study const& s) {
  std::set<int> warps;
  for (int const thread : s.owner) {
    warps.insert(thread / 32);
  }
  return static_cast<int>(warps.size());
}

/// The rows and columns that warp 0 owns elements in.
std::pair<int, int> owned_by_warp(study const& s) {
  std::set<int> rows, columns;
  for (int thread = 0; thread < 32; ++thread) {
    std::vector<int> const of_thread = rows_of(s, thread), across = columns_of(s, thread);
    rows.insert(of_thread.begin(), of_thread.end());
    columns.insert(across.begin(), across.end());
  }
  return {static_cast<int>(rows.size()), static_cast<int>(columns.size())};
}

}  // namespace

double draw_ownership(svg& image, study const& s, double top) {
  extent const e = drawn_of_warp(s);
  int const rows = static_cast<int>(rows_of(s, 0).size()), columns = static_cast<int>(columns_of(s, 0).size());
  bool const tensor_cores = s.facts.from == feed::tensor_cores, others = has_ring(s);
  image.label(left, top, 15, "1. Who computes what", heading);
  caption(image, 0, top, text("C: %lld x %lld", static_cast<long long>(s.size.m), static_cast<long long>(s.size.n)),
          text("%lld x %lld %s", static_cast<long long>(s.tiles_m()), static_cast<long long>(s.tiles_n()),
               others ? "tiles" : "blocks"));
  caption(image, 1, top, text("One %s: %d x %d", others ? "tile" : "block", s.block_m, s.block_n),
          others ? text("%d of %d warps that multiply", owning_warps(s), s.warps()) : text("%d warps", s.warps()));
  auto const [warp_rows, warp_columns] = owned_by_warp(s);
  caption(image, 2, top, text("Its warp 0: %d x %d", warp_rows, warp_columns),
          others ? "the first 16 x 16 of them" : "32 threads, numbered");
  caption(
      image, 3, top, text("Thread 0: %d element%s", rows * columns, rows * columns == 1 ? "" : "s"),
      tensor_cores ? text("in %d rows and %d columns", rows, columns) : text("reads %d + %d values", rows, columns));
  image.label(
      left + 3 * pitch, top + 54, 12,
      tensor_cores ? "summed by wgmma" : text("for %d multiply-add%s", rows * columns, rows * columns > 1 ? "s" : ""),
      remark);
  double const y = top + 50;
  frame const block(1, y, s.block_m, s.block_n), warp(2, y, e.rows, e.columns);
  draw_matrix(image, s, y, block);
  draw_block(image, s, block, warp);
  draw_warp(image, s, warp);
  draw_thread(image, s, y + 12);
  return y + size;
}

}  // namespace explain
