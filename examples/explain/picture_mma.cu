// SPDX-License-Identifier: BSL-1.0
//! @file
//! The picture of mma.sync: who holds which element of a fragment, and the shared memory that ldmatrix reads.

#include <algorithm>
#include <iterator>
#include <string>

#include <gemm/arch/mma_atom.hpp>
#include <gemm/block/mma_padded_tile.cuh>
#include <gemm/block/mma_tile.cuh>
#include <gemm/mma_policies.cuh>

#include "panels.hpp"
#include "picture_mma.hpp"

namespace explain {

namespace {

using atom = gemm::arch::mma_bf16;
using tile = gemm::detail::mma_tile<2, gemm::major::k, 32, 64>;
using padded_policy = gemm::warp_mma_128x128x32;
using padded = gemm::detail::padded_tile<__nv_bfloat16, gemm::major::k, padded_policy::block_m, padded_policy::block_k>;
constexpr char padding_fill[] = "fill=\"#f3d9a4\"";
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
      gemm::arch::mma_position const position = place(lane, e);
      drawn.add(x + position.column * side, top + 10 + position.row * side, side, side, lane_fill(lane),
                text("%d", lane), dark_lane(lane));
    }
  }
  drawn.draw(image, edges);
  image.label(x, top + 10 + rows * side + 15, 11, text("%d x %d, %d elements a lane", rows, columns, elements), remark);
  return top + 10 + rows * side + 15;
}

/// 16 rows of A in shared memory, each a line of the 32 banks that it lies in, and in them the pieces that ldmatrix.x4
/// reads for an A of 16 x 16: where offset(row, piece) says, in bytes. Of a row the first data_bytes are elements, the
/// rest is padding. Four times eight lanes are served at once, each eight in one pass if their banks differ.
template <class Offset>
double draw_rows(svg& image, std::string const& what, int row_bytes, int data_bytes, Offset offset, double x,
                 double top) {
  constexpr double width = 30, height = 14, banks = 8 * width;
  constexpr int piece_bytes = 16, line_bytes = 128, places = line_bytes / piece_bytes;  // of four banks
  double const begin = x + 46, first = top + 42;
  auto const place_of = [](int address) { return address / piece_bytes % places; };
  int passes = 0;
  cells lines, drawn;
  for (int row = 0; row < 16; ++row) {
    double const y = first + row * height;
    int const end = row * row_bytes + data_bytes;
    for (int at = row * row_bytes; at < end;) {  // up to the last bank, and from the first on
      int const next = std::min(end, (at / line_bytes + 1) * line_bytes);
      lines.add(begin + place_of(at) * width, y, (next - at) / piece_bytes * width, height, idle_fill);
      at = next;
    }
    for (int at = end; at < (row + 1) * row_bytes; at += piece_bytes) {
      drawn.add(begin + place_of(at) * width, y, width, height, padding_fill, "pad");
    }
  }
  for (int matrix = 0; matrix < 4; ++matrix) {
    int in_place[places] = {};
    for (int lane = matrix * 8; lane < matrix * 8 + 8; ++lane) {
      int const at = offset(lane % 16, lane / 16);
      drawn.add(begin + place_of(at) * width, first + at / row_bytes * height, width, height, lane_fill(lane),
                text("%d", lane), dark_lane(lane));
      ++in_place[place_of(at)];
    }
    passes += *std::max_element(std::begin(in_place), std::end(in_place));
  }
  image.label(x, top, 13, what, heading);
  image.label(x, top + 16, 12, text("%d passes for %d bytes.", passes, 32 * piece_bytes), remark);
  image.label(begin - 6, first - 4, 9, "banks", remark, "end");
  for (int place = 0; place < places; ++place) {
    image.label(begin + (place + 0.5) * width, first - 4, 8, text("%d-%d", 4 * place, 4 * place + 3), remark, "middle");
  }
  lines.draw(image, edges);
  image.group(edges);
  for (int place = 1; place < places; ++place) {
    image.line(begin + place * width, first, begin + place * width, first + 16 * height);
  }
  image.end_group();
  drawn.draw(image, edges);
  image.group("fill=\"none\" stroke=\"#bbb\" stroke-width=\"0.7\"");
  image.box(begin, first, banks, 16 * height, "");
  image.end_group();
  for (int row = 0; row < 16; row += 5) {
    image.label(begin - 6, first + (row + 0.8) * height, 10, text("row %d", row), remark, "end");
  }
  return first + 16 * height;
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
  double y = draw_owners(image, "A: rows g, g + 8", atom::m, atom::k, atom::elements_a, atom::position_a, left, top);
  draw_owners(image, "B: column g", atom::k, atom::n, atom::elements_b, atom::position_b, 352, top);
  draw_owners(image, "C: rows g, g + 8", atom::m, atom::n, atom::elements_c, atom::position_c, 544, top);
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
  constexpr int row_bytes = tile::row_bytes, padded_bytes = sizeof(padded::row[0]),
                data_bytes = padded::columns * static_cast<int>(sizeof(padded::row[0][0]));
  draw_rows(image, "As in global memory", row_bytes, row_bytes, straight(row_bytes), left, rows);
  draw_rows(image, "XOR-swizzled: sm80_mma", row_bytes, row_bytes, tile::offset, 336, rows);
  y = draw_rows(image, "Padded: warp_mma", padded_bytes, data_bytes, straight(padded_bytes), 648, rows);
  image.label(left, y + 24, 12,
              text("A line is a row of A in the 32 banks that it lies in, four to a piece of 16 bytes. A pass serves "
                   "eight lanes whose banks differ."),
              remark);
  image.label(left, y + 40, 12,
              text("Rows of warp_mma have %d bytes and %d of padding: each begins %d banks after the last, so the "
                   "pieces of eight rows lie in different banks.",
                   data_bytes, padded_bytes - data_bytes, padded_bytes / 4),
              remark);
  return image.image(y + 60, "mma.sync: which lane holds which element, and what ldmatrix reads");
}

}  // namespace explain
