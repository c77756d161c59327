// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where an operand's tile lies in shared memory for mma.sync: rows of 128 bytes or less, in XOR-swizzled pieces of 16
//! bytes. Neither cp.async's writes nor the fragments' reads have bank conflicts.
//!
//!     k-major     row r: 64 or 128 bytes of k of the r-th outer
//!     mn-major    boxes of 128 bytes of the outer dimension, one after the other; row r: the r % k-th k of box r / k.
//!                 A tile of 16 or 32 outer is one box, of shorter rows
//!
//! Piece p of row r lies at p ^ key(r). One exclusive or of the address leads from one step of k (k-major), or piece of
//! the outer dimension (mn-major), to the next. Keys of r % 8 are those of TMA's swizzles.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/problem.cuh>

namespace gemm::detail {

/// The outer index (row of A, column of B) of half h of index g (0 to 7) of the i-th 16 of a fragment. Wide loads of
/// mn-major tiles give neighbours to one thread, which only permutes C's rows and columns.
enum class outer_order : unsigned char {
  natural,  // 16 i + 8 h + g
  pairs,    // 16 i + 2 g + h
  quads     // 32 (i / 2) + 4 g + 2 (i % 2) + h
};
__host__ __device__ constexpr int outer_of(outer_order order, int i, int h, int g) {
  return order == outer_order::natural ? 16 * i + 8 * h + g
         : order == outer_order::pairs ? 16 * i + 2 * g + h
                                       : 32 * (i / 2) + 4 * g + 2 * (i % 2) + h;
}

/// A tile of Outer x K elements of so many bytes.
template <int Element, major Major, int Outer, int K>
struct mma_tile {
  static constexpr int element = Element, outer = Outer, k = K;
  static constexpr bool k_major = Major == major::k;
  /// Elements of a row, and rows: of an mn-major tile those of all boxes.
  static constexpr int in_row = k_major ? K : (Outer * Element < 128 ? Outer : 128 / Element);
  static constexpr int row_bytes = in_row * Element, rows = Outer * K / in_row, bytes = Outer * K * Element;
  static constexpr int box_bytes = K * row_bytes;  // of an mn-major tile
  static_assert(k_major ? row_bytes == 64 || row_bytes == 128
                        : row_bytes == 128 || Outer == 16 || Outer == 32 || row_bytes == 64,
                "gemm: rows of a tile for mma.sync have 64 or 128 bytes, or all 16 or 32 of the outer dimension.");
  static_assert(row_bytes == 128 || Element != 8, "gemm: rows of doubles have 128 bytes.");
  static_assert(bytes % 1024 == 0, "gemm: tiles for mma.sync are multiples of 1024 bytes, where swizzles begin anew.");

  /// How fragments are read (mma_fragments.cuh), which decides what must not meet in a bank. Of fewer than 32 outer,
  /// words of 4 bytes are read one by one.
  static constexpr bool by_word = !k_major && Element == 4 && Outer < 32;
  static constexpr outer_order order = k_major || Element == 2 || Element == 8 || by_word ? outer_order::natural
                                       : Element == 4                                     ? outer_order::quads
                                                                                          : outer_order::pairs;

  /// A function of bits of the row: key(a + b) = key(a) ^ key(b) where a and b have no bit in common.
  __host__ __device__ static constexpr int key(int row) {
    if constexpr (Element == 8) {
      return row % 4 * 2;  // 8-byte loads: 16 lanes read 32 bytes of 4 rows
    } else if constexpr (k_major) {
      return row_bytes == 64 ? row / 2 % 4 : row % 8;  // ldmatrix: a piece of 8 rows
    } else if constexpr (by_word) {
      return row / 2 % 2 * 2;  // 4-byte loads: 32 lanes read 2 pieces of 4 rows
    } else if constexpr (Element == 4) {
      return row % 4 * 2;  // 16-byte loads: 8 lanes read 2 neighbouring pieces of 4 rows
    } else if constexpr (Element == 2) {
      return row / (128 / row_bytes) % (row_bytes / 16);  // ldmatrix.trans: a piece of 8 rows
    } else if constexpr (row_bytes >= 64) {
      return row_bytes == 64 ? row / 4 % 4 : row % 2 + row / 4 % 4 * 2;  // of rows 0 1 4 5 8 9 12 13
    } else {
      return row_bytes == 32 ? row / 4 % 2 + row / 8 % 2 * 4 : row / 8 % 2 * 2;  // likewise, 8 rows apart
    }
  }
  /// Bytes from the tile's begin to a piece.
  __host__ __device__ static constexpr int offset(int row, int piece) {
    if constexpr (row_bytes < 64) {  // where a key may lead to another row
      return (row * row_bytes + piece * 16) ^ (key(row) * 16);
    } else {
      return row * row_bytes + (piece ^ key(row)) * 16;
    }
  }
  /// To a piece of an mn-major tile's k, pieces counted through the boxes.
  __host__ __device__ static constexpr int mn_offset(int of_k, int piece) {
    constexpr int in_box = row_bytes / 16;
    return offset(piece / in_box * K + of_k, piece % in_box);
  }
};

/// Where a lane's first read is, for the outer from `from` on: of 16 bytes, a double, a word, or the matrix row for
/// ldmatrix. mma_fragments.cuh has the steps from there.
///
/// ldmatrix gives the words of half h of 16 outer and of half q of 32 bytes of k. h + 2 q is the order of A's
/// registers. q + 2 h (Second) is that of B's, two consecutive ones of which are one operand.
template <class Tile, bool Second>
__host__ __device__ constexpr int first_read(int lane, int from) {
  constexpr int element = Tile::element;
  int const g = lane / 4, t = lane % 4, row = lane % 8, matrix = lane / 8;
  int const h = Second ? matrix / 2 : matrix % 2, q = Second ? matrix % 2 : matrix / 2;
  if constexpr (Tile::k_major) {
    return element == 8 ? Tile::offset(from + g, t / 2) + t % 2 * 8 : Tile::offset(from + row + h * 8, q);
  } else if constexpr (element == 8) {
    return Tile::mn_offset(t, from / 2 + g / 2) + g % 2 * 8;
  } else if constexpr (Tile::by_word) {
    return Tile::mn_offset(t, from / 4 + g / 4) + g % 4 * 4;
  } else if constexpr (element == 4) {
    return Tile::mn_offset(t, from / 4 + g);
  } else if constexpr (element == 2) {
    return Tile::mn_offset(row + q * 8, from / 8 + h);
  } else {
    return Tile::mn_offset(matrix / 2 * 16 + row / 2 * 4 + row % 2 + matrix % 2 * 2, from / 16);
  }
}

}  // namespace gemm::detail
