// SPDX-License-Identifier: BSL-1.0
//! @file
//! What one of a warp's stores by TMA takes of a warpgroup's accumulators: finished, and laid out in shared memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/stmatrix.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// What one store takes: the 16 rows that a warp has of 64, and as many columns as 128 bytes hold.
template <class T>
struct staged_box {
  static constexpr int rows = 16, line_bytes = 128, columns = line_bytes / static_cast<int>(sizeof(T));
};

/// Whether a warpgroup's columns, two for each accumulator of a row, are those of a box or more. Fewer are of elements
/// of one byte.
template <class T, int Accums>
inline constexpr bool fills_boxes = 2 * Accums >= staged_box<T>::columns;

/// What becomes of a box's sums: of those from `begin` on, which are those from column `first` of the 64 rows on. The
/// first `done` columns are the last of the box before, whose pairs may be the same: an epilogue is called once for
/// each element.
template <class T>
using box_pairs = vector<T, 2>[staged_box<T>::columns / 8][2];
template <class Layout, factors Factors, int Accums, class Problem, class Accum>
__device__ void finish_box(Problem const& p, Accum const (&accum)[Accums], int begin, int first, int done,
                           block_tile const& tile, box_pairs<typename Problem::output> const& before,
                           box_pairs<typename Problem::output>& pairs, partial_for<Problem>& partial) {
  using output = typename Problem::output;
  constexpr int columns = staged_box<output>::columns;
  int thread = static_cast<int>(threadIdx.x);
  if constexpr (!epilogue_facts_of<Problem>::is_plain) {
    arch::make_opaque(thread);  // as in write_box()
  }
  int const pair_of_row = thread % 4;
  std::int64_t const row = tile.row + Layout::warp_row(thread) + thread % 32 / 4;
#pragma unroll
  for (int j = 0; j < columns / 8; ++j) {
    if (8 * j < done) {
      pairs[j][0] = before[(columns - done) / 8 + j][0];
      pairs[j][1] = before[(columns - done) / 8 + j][1];
    }
  }
  finish_all<columns / 2, false, Factors>(
      p, done / 2, tile.batch, partial,
      [&](int i) {
        return accum_at<Problem>{accum[begin + i], output{}, row + 8 * (i / 2 % 2),
                                 tile.column + first + 8 * (i / 4) + 2 * pair_of_row + i % 2};
      },
      [&](int i, output element) { pairs[i / 4][i / 2 % 2].element[i % 2] = element; });
}

/// Writes it to a buffer. The 16-byte pieces of row l lie at p ^ l % 8. Anew: its addresses are not kept in registers
/// through the main loop.
template <class T, bool Anew = sizeof(T) == 1>
__device__ void write_box(unsigned char* buffer, box_pairs<T> const& pairs) {
  using box = staged_box<T>;
  int lane = static_cast<int>(threadIdx.x) % 32;
  if constexpr (Anew) {
    arch::make_opaque(lane);
  }
  int const pair_of_row = lane % 4;
  if constexpr (sizeof(T) == 2) {
    int const line = lane % 16;  // lane l says where row l % 16 of 16 bytes begins, l / 16 pieces further on
#pragma unroll
    for (int j = 0; j < box::columns / 8; j += 2) {
      std::uint32_t words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        words[i] = __builtin_bit_cast(std::uint32_t, pairs[j + i / 2][i % 2]);
      }
      arch::stmatrix(buffer + line * box::line_bytes + ((j + lane / 16) ^ line % 8) * 16, words);
    }
  } else {
    int const line = lane / 4;
#pragma unroll
    for (int j = 0; j < box::columns / 8; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        int const byte = (8 * j + 2 * pair_of_row) * static_cast<int>(sizeof(T));
        store_vector(reinterpret_cast<T*>(buffer + (line + 8 * i) * box::line_bytes + (byte ^ line * 16)), pairs[j][i]);
      }
    }
  }
}

}  // namespace gemm::detail
