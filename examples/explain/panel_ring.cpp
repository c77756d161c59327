// SPDX-License-Identifier: BSL-1.0
//! @file
//! Pictures of the rungs with rings: the stages in shared memory, what a cluster shares of them, TMA's swizzle.

#include <algorithm>
#include <cstddef>

#include "panels.hpp"
#include "picture.hpp"
#include "ring.hpp"

namespace explain {

namespace {

constexpr char a_fill[] = "fill=\"#a6cdea\"", b_fill[] = "fill=\"#a6d8a8\"", other_fill[] = "fill=\"#e3d5ee\"",
               barrier_fill[] = "fill=\"#d7301f\"";
constexpr char const* block_fills[] = {"fill=\"#ffc61a\"", "fill=\"#74a9cf\"", "fill=\"#a6d8a8\"", "fill=\"#d9b3e6\""};

std::string of_barriers(ring_study const& s) {
  std::string const who = s.wgmma_n == 0              ? "one of each warp that multiplies"
                          : s.blocks_of_cluster() > 1 ? "one of each warp that multiplies, in all blocks that share"
                          : s.in_turns                ? "one of each warp that has the tile of C"
                                                      : "one of each warp that multiplies";
  return text("full[s]: %d arrival, of the thread that asks TMA, and %lld bytes. empty[s]: %d arrivals, %s.",
              s.full_arrivals, wide(s.stage_bytes()), s.empty_arrivals, who.c_str());
}

/// A block's shared memory from its first byte to its last, to scale.
double draw_memory(svg& image, ring_study const& s, double top) {
  image.label(left, top, 15,
              text("2. A ring of %d stages: %d of k of A and B in each%s, %lld bytes", s.tile.stages, s.tile.block_k,
                   s.terms > 1 ? text(", as %d terms", s.terms).c_str() : "", wide(s.stage_bytes())),
              heading);
  constexpr double height = 30, length = svg::width - 2 * left;
  double const byte = length / s.tile.shared_bytes, y = top + 14;
  image.box(left, y, length, height, idle_fill);
  cells drawn;
  auto const add = [&](room const& r, char const* fill, bool numbered) {
    for (int i = 0; i < r.count; ++i) {
      double const w = std::max(byte * static_cast<double>(r.each), numbered ? 0 : 0.6);
      drawn.add(left + byte * static_cast<double>(r.begin + i * r.each), y, w, height, fill,
                numbered ? text("%s %d", r.name.c_str(), i) : "");
    }
  };
  add(s.a, a_fill, true);
  add(s.b, b_fill, true);
  for (room const& r : s.others) {
    add(r, other_fill, false);
  }
  add(s.full, barrier_fill, false);
  add(s.empty, barrier_fill, false);
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"0.4\"");
  std::string places, barriers = "Barriers:";
  auto const say = [](std::string& line, room const& r) {
    line += text("%s%s %d x %lld from %lld",
                 line.empty()         ? ""
                 : line.back() == ':' ? " "
                                      : ", ",
                 r.name.c_str(), r.count, wide(r.each), wide(r.begin));
  };
  say(places, s.a);
  say(places, s.b);
  say(barriers, s.full);
  say(barriers, s.empty);
  for (room const& r : s.others) {
    say(r.each == s.full.each ? barriers : places, r);
  }
  double line = y + height;
  for (std::string const& what :
       {places + text("; %d bytes in all", s.tile.shared_bytes), barriers, of_barriers(s),
        text("Registers of a thread: at launch %d; by setmaxnreg then %d where it loads, %d where it "
             "multiplies.",
             s.registers, s.producer_registers, s.consumer_registers)}) {
    image.label(left, line += 16, 12, what, remark);
  }
  return line;
}

/// Each block's tiles in pieces, in the colour of the block that loads them.
double draw_cluster(svg& image, ring_study const& s, double top) {
  image.label(left, top, 15,
              text("%d blocks are a cluster: which of them loads which part of a stage", s.blocks_of_cluster()),
              heading);
  constexpr double height = 22;
  double const byte = half_width * 0.82 / static_cast<double>(s.stage_bytes());
  double const y = top + 14;
  cells drawn;
  for (int block = 0; block < s.blocks_of_cluster(); ++block) {
    int const m = block % s.cluster_m, n = block / s.cluster_m;
    double const row = y + (block / 2) * (height + 8), begin = (block % 2 == 0 ? left : right_half) + 56;
    image.label(begin - 6, row + 15, 12, text("block %d", block), remark, "end");
    double x = begin;
    auto const pieces = [&](room const& r, int parts, auto const& from) {
      for (int part = 0; part < parts; ++part) {
        double const w = byte * static_cast<double>(r.each) / parts;
        int const source = from(part);
        drawn.add(x, row, w, height, block_fills[source % 4], text("%s from %d", r.name.c_str(), source));
        x += w;
      }
    };
    pieces(s.a, s.cluster_n, [&](int part) { return part * s.cluster_m + m; });
    x += 4;
    pieces(s.b, s.cluster_m, [&](int part) { return n * s.cluster_m + part; });
  }
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"0.8\"");
  return y + (s.blocks_of_cluster() + 1) / 2 * (height + 8);
}

double draw_swizzle(svg& image, ring_study const& s, double x, double top) {
  image.label(x, top, 13, "Eight rows of 128 bytes of A, as TMA leaves them", heading);
  image.label(x, top + 16, 12, "In each place the number of the piece of 16 bytes that lies there.", remark);
  constexpr double label_width = 56, w = (half_width - label_width) / 8, h = 14;
  double const begin = x + label_width, y = top + 34;
  cells drawn;
  for (std::size_t place = 0; place < 8; ++place) {
    double const at = begin + w * (static_cast<double>(place) + 0.5);
    image.label(at, y - 4, 9, text("%zu-%zu", 4 * place, 4 * place + 3), remark, "middle");
  }
  image.label(begin - 6, y - 4, 9, "banks", remark, "end");
  for (std::size_t line = 0; line < 8; ++line) {
    double const row = y + h * static_cast<double>(line);
    image.label(begin - 6, row + 10, 10, text("row %zu", line), remark, "end");
    for (std::size_t place = 0; place < 8; ++place) {
      int const piece = s.swizzled_a[line][place];
      drawn.add(begin + w * static_cast<double>(place), row, w, h - 1.5,
                piece == 0 ? chosen_fill : lane_fill(4 * piece), text("%d", piece), piece != 0 && dark_lane(4 * piece));
    }
  }
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"0.6\"");
  return y + 8 * h;
}

double draw_reads(svg& image, ring_study const& s, double top) {
  image.label(left, top, 15, "3. TMA's swizzle of 128 bytes, and the banks of what is read then", heading);
  double const y = top + 24;
  double end = draw_swizzle(image, s, left, y);
  if (s.wgmma_n > 0) {
    end = std::max(end, draw_passes(image, "Piece 0 of eight rows, one each for 8 lanes", core_matrix(s.swizzled_a, 0),
                                    right_half, y));
    return std::max(end,
                    draw_passes(image, "The same without a swizzle", core_matrix(unswizzled(), 0), right_half, y + 64));
  }
  double const read_b = y + 44 + 14 * static_cast<double>(passes_of(s.tile.a.read).size()) + 14;
  end = std::max(end, draw_passes(image, "Reading A", s.tile.a.read, right_half, y));
  return std::max(end, draw_passes(image, "Reading B", s.tile.b.read, right_half, read_b));
}

/// What a warpgroup starts for one or two stages.
double draw_wgmma(svg& image, ring_study const& s, double top) {
  image.label(left, top, 15,
              text("4. A warpgroup multiplies by wgmma: m64n%dk%d, %zu of them for %d of k, %s", s.wgmma_n, s.wgmma_k,
                   s.wgmmas.size(), s.group_k,
                   s.group_k == s.tile.block_k ? "a stage" : text("%d stages", s.group_k / s.tile.block_k).c_str()),
              heading);
  constexpr char const* terms[] = {"high", "low"};
  constexpr double most = 114;
  double const w = std::min((svg::width - 2 * left) / static_cast<double>(s.wgmmas.size()), most);
  cells drawn;
  double x = left;
  for (wgmma_step const& step : s.wgmmas) {
    char const* const fill = block_fills[s.terms > 1 ? 2 * step.part_a + step.part_b : step.first_row / 64];
    drawn.add(x, top + 14, w, 20, fill,
              s.terms > 1 ? text("%s x %s", terms[step.part_a], terms[step.part_b])
                          : text("rows %d-%d", step.first_row, step.first_row + 63));
    drawn.add(x, top + 34, w, 16, idle_fill, text("k %d-%d", step.k, step.k + s.wgmma_k - 1));
    x += w;
  }
  drawn.draw(image, "stroke=\"#fff\" stroke-width=\"1\"");
  return top + 50;
}

}  // namespace

std::string picture_of(ring_study const& s) {
  study const& t = s.tile;
  svg image;
  image.label(left, 38, 21, text("Rung %d: %s", t.facts.number, t.facts.title), heading);
  image.label(svg::width - left, 38, 13, t.policy + ", " + t.type, remark, "end");
  image.label(left, 60, 13.5, t.facts.idea, remark);
  double y = draw_ownership(image, t, 94);
  y = draw_memory(image, s, y + 34);
  y = s.blocks_of_cluster() > 1 ? draw_cluster(image, s, y + 28) : y;
  y = draw_reads(image, s, y + 34);
  y = s.wgmma_n > 0 ? draw_wgmma(image, s, y + 34) : y;
  y = draw_legend(image, t, y + 26);
  return image.image(y + 20, text("%s: who computes what, and what lies where", t.policy.c_str()));
}

}  // namespace explain
