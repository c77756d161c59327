// SPDX-License-Identifier: BSL-1.0
//! @file
//! Accumulators of slices in the workspace as the tensor cores leave them in a warpgroup's registers.
//!
//!     [slice][product][tile][warpgroup][four][thread]    four of a thread: two neighbours of a row, and two 8 rows
//!                                                        below; of a tile that is transposed
//!                                                        (register_operand.cuh) four neighbours of a row
//!
//! A warp writes 512 bytes at a time, and the reduction reads them so. As rows, its 32 bytes of each of 8 would be as
//! many requests to the L2 (docs/tuning-notes.md, slices).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/register_operand.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Whether a policy's slices lie so: those of sm90_wgmma's persistent blocks.
template <class Policy, class Problem>
inline constexpr bool slices_in_fragments = Policy::info.on_tensor_cores() && Policy::info.is_persistent();

/// The tiles that the accumulators lie in; none where they lie in rows. transposed: they are summed so, and warpgroups
/// lie side by side.
struct fragment_tiles {
  int rows = 0, columns = 0;
  bool transposed = false;
};

/// Where four accumulators of a slice belong.
struct fragment_position {
  std::int64_t row, column;
};

/// The place of the index-th four, of tiles of which `in_row` lie beside one another.
__device__ inline fragment_position position_of_fragment(fragment_tiles const& tiles, std::int64_t in_row,
                                                         std::int64_t index) {
  int const of_tile = tiles.rows * tiles.columns / 4;
  int const of_warpgroup = (tiles.transposed ? tiles.rows * register_operand_tile::columns : 64 * tiles.columns) / 4;
  std::int64_t const tile = index / of_tile, tile_row = tile / in_row;
  std::int64_t const first_row = tile_row * tiles.rows, first_column = (tile - tile_row * in_row) * tiles.columns;
  int const in_tile = static_cast<int>(index - tile * of_tile), warpgroup = in_tile / of_warpgroup;
  int const in_warpgroup = in_tile - warpgroup * of_warpgroup, four = in_warpgroup / 128, thread = in_warpgroup % 128;
  if (tiles.transposed) {
    return {first_row + register_operand_tile::row(thread, four),
            first_column + warpgroup * register_operand_tile::columns + register_operand_tile::column(thread)};
  }
  return {first_row + warpgroup * 64 + thread / 32 * 16 + thread % 32 / 4, first_column + four * 8 + thread % 4 * 2};
}

/// Stores a warpgroup's accumulators of a slice of a tile that begins there, by the thread with this number.
template <int Accums, class Accum>
__device__ void store_fragments(Accum* tile, int thread, Accum const (&accum)[1][Accums]) {
  Accum* const to = tile + thread / 128 * (Accums * 128) + thread % 128 * 4;
#pragma unroll
  for (int j = 0; j < Accums; j += 4) {
    store_vector(to + j * 128, vector<Accum, 4>{accum[0][j], accum[0][j + 1], accum[0][j + 2], accum[0][j + 3]});
  }
}
template <int Accums, class Accum>
__device__ void store_fragments(Accum* tile, int thread, Accum const (&accum)[register_operand_tile::pieces][Accums]) {
  Accum* const to = tile + thread / 128 * (register_operand_tile::pieces * Accums * 128) + thread % 128 * 4;
#pragma unroll
  for (int j = 0; j < Accums / 2; ++j) {
    store_vector(to + j * 512, transposed_neighbours(accum, j));
  }
}

}  // namespace gemm::detail
