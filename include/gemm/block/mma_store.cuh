// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stores a warp's accumulators to C in full sectors: 16 rows at a time go through the warp's own shared memory, from
//! which neighbouring lanes store neighbouring elements. No barrier but the warp's.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/mma_tile.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Elements that pad a strip's rows, so that its writes have no bank conflicts; and the most of all orders.
constexpr int strip_padding(outer_order of_b) {
  return of_b == outer_order::quads ? 4 : of_b == outer_order::pairs ? 16 : 8;
}
inline constexpr int most_strip_padding = 16;

/// Accumulator e of an atom's registers, of which a word has one, or two halves.
template <class Accum, int Words>
__device__ Accum accum_of(Accum const (&words)[Words], int e) {
  return words[e];
}
template <class Accum>
__device__ float accum_of(std::uint32_t const (&words)[2], int e) {
  return __half2float(__ushort_as_half(static_cast<unsigned short>(words[e / 2] >> e % 2 * 16)));
}

/// 16 x Columns accumulators.
template <class Accum, int Columns, outer_order OfB>
struct mma_strip {
  alignas(16) Accum row[16][Columns + strip_padding(OfB)];

  /// The i-th 16 rows of the warp's tile, by the warp.
  template <int Rows, class Word, int Words>
  __device__ void write(Word const (&accum)[Rows][Columns / 8][Words], int i, int lane) {
    constexpr int run = OfB == outer_order::natural ? 2 : 4;  // neighbours of a row that a lane has
    int const g = lane / 4, t = lane % 4;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int r = 0; r < Columns / (4 * run); ++r) {
        vector<Accum, widest_in<Accum, run>> vectors[run / widest_in<Accum, run>];
#pragma unroll
        for (int x = 0; x < run; ++x) {
          int const j = OfB == outer_order::natural ? r : OfB == outer_order::pairs ? 2 * r + x % 2 : r / 2 * 4 + x;
          int const e = OfB == outer_order::natural ? x : OfB == outer_order::pairs ? x / 2 : r % 2;
          vectors[x / widest_in<Accum, run>].element[x % widest_in<Accum, run>] =
              accum_of<Accum>(accum[i][j], 2 * h + e);
        }
        int const first = OfB == outer_order::natural ? 8 * r + 2 * t
                          : OfB == outer_order::pairs ? 16 * r + 4 * t
                                                      : r / 2 * 32 + 8 * t + 4 * (r % 2);
#pragma unroll
        for (int x = 0; x < run; x += widest_in<Accum, run>) {
          store_vector(&row[8 * h + g][first + x], vectors[x / widest_in<Accum, run>]);
        }
      }
    }
  }
};

/// Where a warp's accumulators are stored: to C, at a coordinate of the batch. Or, InSlice, to a slice in the
/// workspace, [number][row][column], whose rows are of whole 16 bytes.
template <class Problem, bool InSlice>
struct mma_target {
  using accum = typename Problem::accum;
  Problem const& p;
  void* slices;
  std::int64_t number;  // of the batch, or of the slice

  __device__ bool has_pieces() const { return InSlice || p.vector_c; }

  template <int Width>
  __device__ void store(accum const* values, std::int64_t row, std::int64_t column) const {
    if constexpr (!InSlice) {
      store_row<Width>(p, values, row, column, number);
    } else if (row < p.m && column < p.n) {
      std::int64_t const ld = (p.n + Width - 1) / Width * Width;
      store_vector(static_cast<accum*>(slices) + (number * p.m + row) * ld + column, load_vector<Width>(values));
    }
  }
};

/// Whether all of a warp's tile is in a C that is stored without being read, in pieces.
template <int Rows, int Columns, class Problem>
__device__ bool stores_whole_tile(Problem const& p, std::int64_t row, std::int64_t column) {
  return p.beta == typename Problem::accum(0) && p.vector_c && row + 16 * Rows <= p.m && column + Columns <= p.n;
}

/// Stores such a tile, as store_mma_tile(), without a branch: of each 16 rows all pieces are loaded before one is
/// stored.
template <outer_order OfA, int Rows, int Columns, outer_order OfB, class Word, int Words, class Problem>
__device__ void store_whole_mma_tile(Problem const& p, Word const (&accum)[Rows][Columns / 8][Words],
                                     mma_strip<typename Problem::accum, Columns, OfB>& strip, std::int64_t row,
                                     std::int64_t column, std::int64_t batch, int lane) {
  using output = typename Problem::output;
  constexpr int width = widest<typename Problem::accum>, in_row = Columns / width, pieces = 16 * in_row / 32;
  constexpr int stored = widest_in<output, width>;
  output* const c = p.c.data + batch * p.c.batch_stride + row * p.c.ld + column;
  partial_for<Problem> partial{};
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
    __syncwarp();  // the strip has been read
    strip.write(accum, i, lane);
    __syncwarp();  // it has been written
    auto const slot_of = [&](int piece) { return (32 * piece + lane) / in_row; };
    auto const place_of = [&](int piece) { return (32 * piece + lane) % in_row * width; };
    vector<typename Problem::accum, width> loaded[pieces];
#pragma unroll
    for (int piece = 0; piece < pieces; ++piece) {
      loaded[piece] = load_vector<width>(&strip.row[slot_of(piece)][place_of(piece)]);
    }
#pragma unroll
    for (int piece = 0; piece < pieces; ++piece) {
      int const slot = slot_of(piece), right = place_of(piece), down = outer_of(OfA, i, slot / 8, slot % 8);
#pragma unroll
      for (int first = 0; first < width; first += stored) {
        vector<output, stored> values;
        finish_all<stored, false>(
            p, 0, batch, partial,
            [&](int e) {
              return accum_at<Problem>{loaded[piece].element[first + e], output{}, row + down,
                                       column + right + first + e};
            },
            [&](int e, output element) { values.element[e] = element; });
        store_vector(c + down * p.c.ld + right + first, values);
      }
    }
  }
  flush_partial(p, partial);
}

/// Stores a warp's tile, whose first element is (row, column): 16 bytes of accumulators a lane, or where C's rows are
/// misaligned one a lane.
template <outer_order OfA, int Rows, int Columns, outer_order OfB, class Word, int Words, class Problem, bool InSlice>
__device__ void store_mma_tile(mma_target<Problem, InSlice> const& to, Word const (&accum)[Rows][Columns / 8][Words],
                               mma_strip<typename Problem::accum, Columns, OfB>& strip, std::int64_t row,
                               std::int64_t column, int lane) {
  constexpr int width = widest<typename Problem::accum>, in_row = Columns / width;
  constexpr int least = is_gated<Problem> ? 2 : 1;  // adjacent elements that cannot be stored apart
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
    __syncwarp();  // the strip has been read
    strip.write(accum, i, lane);
    __syncwarp();  // it has been written
    auto const row_of = [&](int slot) { return row + outer_of(OfA, i, slot / 8, slot % 8); };
    if (to.has_pieces()) {
#pragma unroll 4
      for (int first = 0; first < 16 * in_row; first += 32) {
        int const slot = (first + lane) / in_row, of_row = (first + lane) % in_row * width;
        auto const values = load_vector<width>(&strip.row[slot][of_row]);
        to.template store<width>(values.element, row_of(slot), column + of_row);
      }
    } else if constexpr (!InSlice) {
#pragma unroll 1
      for (int first = 0; first < 16 * Columns / least; first += 32) {
        int const slot = (first + lane) / (Columns / least), of_row = (first + lane) % (Columns / least) * least;
        to.template store<least>(&strip.row[slot][of_row], row_of(slot), column + of_row);
      }
    }
  }
}

}  // namespace gemm::detail
