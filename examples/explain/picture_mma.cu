// SPDX-License-Identifier: BSL-1.0
//! @file
//! The picture of mma.sync: who holds which element of a fragment, and the shared memory that ldmatrix reads.

#include <algorithm>
#include <iterator>
#include <string>

#include <gemm/arch/mma_atom.hpp>
#include <gemm/block/mma_tile.cuh>

#include "panels.hpp"
#include "picture_mma.hpp"

namespace explain {

namespace {

using atom = gemm::arch::mma_bf16;
using tile = gemm::detail::mma_tile<2, gemm::major::k, 32, 64>;
constexpr char edges[] = "stroke=\"#fff\" stroke-width=\"0.8\"";

/// A matrix whose elements bear the number of the lane that holds them.
template <class Place>
double draw_owners(svg& image, std::string const& what, int rows, int columns, int elements, Place place, double x,
                   double top) {
  constexpr double side = 17;
  image.label(x, top, 13, what, heading);
  cells drawn;
  for (int lane = 0; lane < 32; ++lane) {
    for (int e = 0; e < elements; ++e) {
      gemm::arch::mma_place const at = place(lane, e);
      drawn.add(x + at.column * side, top + 10 + at.row * side, side, side, lane_fill(lane), text("%d", lane),
                dark_lane(lane));
    }
  }
  drawn.draw(image, edges);
  image.label(x, top + 10 + rows * side + 15, 11, text("%d x %d, %d elements a lane", rows, columns, elements), remark);
  return top + 10 + rows * side + 15;
}

/// 16 rows of shared memory, and in them the pieces that ldmatrix.x4 reads for an A of 16 x 16: where offset(row,
/// piece) says, in bytes. Four times eight lanes are served at once, each eight in one pass if their banks differ.
template <class Offset>
double draw_rows(svg& image, std::string const& what, int row_bytes, Offset offset, double x, double top) {
  constexpr double width = 30, height = 14;
  int const pieces = row_bytes / 16;
  int passes = 0;
  cells drawn;
  for (int row = 0; row < 16; ++row) {
    for (int piece = 0; piece < pieces; ++piece) {
      drawn.add(x + 46 + piece * width, top + 26 + row * height, width, height, idle_fill);
    }
  }
  for (int matrix = 0; matrix < 4; ++matrix) {
    int in_bank[8] = {};  // four banks, 16 bytes
    for (int lane = matrix * 8; lane < matrix * 8 + 8; ++lane) {
      int const at = offset(lane % 16, lane / 16);
      drawn.add(x + 46 + at % row_bytes / 16 * width, top + 26 + at / row_bytes * height, width, height,
                lane_fill(lane), text("%d", lane), dark_lane(lane));
      ++in_bank[at / 16 % 8];
    }
    passes += *std::max_element(std::begin(in_bank), std::end(in_bank));
  }
  image.label(x, top, 13, what, heading);
  image.label(x, top + 16, 12, text("%d passes for %d bytes.", passes, 512), remark);
  drawn.draw(image, edges);
  for (int row = 0; row < 16; row += 5) {
    image.label(x + 40, top + 26 + (row + 0.8) * height, 10, text("row %d", row), remark, "end");
  }
  return top + 26 + 16 * height;
}

}  // namespace

std::string picture_of_mma() {
  svg image;
  image.label(left, 38, 21, "mma.sync: fragments of a warp", heading);
  image.label(svg::width - left, 38, 13, "m16n8k16, bfloat16", remark, "end");
  image.label(
      left, 60, 13.5,
      "A warp multiplies 16 x 16 by 16 x 8 elements out of its registers. Each lane holds fixed elements of all "
      "three.",
      remark);
  double const top = 96;
  double y = draw_owners(image, "A: rows g, g + 8", atom::m, atom::k, atom::elements_a, atom::place_a, left, top);
  draw_owners(image, "B: column g", atom::k, atom::n, atom::elements_b, atom::place_b, 352, top);
  draw_owners(image, "C: rows g, g + 8", atom::m, atom::n, atom::elements_c, atom::place_c, 544, top);
  image.label(736, top, 13, "g = lane / 4", heading);
  image.label(736, top + 22, 12, "Numbers are lanes. Two", remark);
  image.label(736, top + 38, 12, "neighbours along k share", remark);
  image.label(736, top + 54, 12, "a register of A and B.", remark);

  y += 42;
  image.label(left, y, 15, "ldmatrix.x4 of A: each lane names 16 bytes, a row of an 8 x 8 matrix", heading);
  double const rows = y + 30;
  auto const straight = [](int row_bytes) {
    return [row_bytes](int row, int piece) { return row * row_bytes + piece * 16; };
  };
  draw_rows(image, "As in global memory", 128, straight(128), left, rows);
  draw_rows(image, "XOR-swizzled: sm80_mma", 128, tile::offset, 344, rows);
  y = draw_rows(image, "Padded: warp_mma", 80, straight(80), 664, rows);
  image.label(left, y + 24, 12,
              "A pass serves eight lanes whose 16 bytes lie in different banks, of 32. Rows of warp_mma have 64 bytes "
              "and 16 of padding.",
              remark);
  return image.image(y + 44, "mma.sync: which lane holds which element, and what ldmatrix reads");
}

}  // namespace explain
