// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a consumer thread of the warp-specialised rung reads from shared memory, and in which order it multiplies.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/shared_load.cuh>
#include <gemm/block/consumer_layout.cuh>
#include <gemm/block/k_major_columns.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// The fragments of a thread for one step of k after the other: some rows and columns of its warp's elements, 8 x 8 or
/// 8 x 16 in most policies. The lanes are lanes_m x lanes_n. B lies [k][n] in shared memory, in squares
/// (block/smem_transpose.cuh) or k-major (block/k_major_columns.cuh). The thread's columns are 4 * tx + 4 * lanes_n *
/// (j / 4) + j % 4. A lies
///
///     by k, [k][m]      rows 4 * ty + 4 * lanes_m * (i / 4) + i % 4; four of them at a time are read for the next step
///                       when they have been used, the last four as it begins. Where a thread's rows are no multiple
///                       of four, they are ty + lanes_m * i, and all of the next step are read during this one
///     by row, [m][k]    rows ty + lanes_m * i, swizzled in pieces of 16 bytes: four k of a row at a time, read over
///                       the old ones as soon as their last has been used; those of the last two rows as the next
///                       step begins, or the compiler reads them early and saves the old ones by moves that wait
///                       (docs/tuning-notes.md, sm90_simt_tma)
///
/// Lane bit 0 is the first of ty, the next are tx, the others the rest of ty. Among four neighbouring lanes at most two
/// then read different elements of A and of B each. So a 16-byte load takes two passes instead of four.
template <class Policy, bool ByRow, tile_of_b B>
class consumer_fragments : public consumer_layout<Policy, ByRow> {
  using layout = consumer_layout<Policy, ByRow>;

 public:
  using layout::block_m, layout::block_n;

 private:
  using layout::lanes_m, layout::lanes_n, layout::tx;
  static constexpr int block_k = Policy::block_k;
  static constexpr bool in_squares = B == tile_of_b::in_squares, by_row_b = B == tile_of_b::by_row;
  static constexpr int width = 4;
  static constexpr int phases = lanes_m < 8 ? 8 / lanes_m : 1;
  static constexpr int fours = (Policy::warp_m / lanes_m + width - 1) / width;  // that hold a step's rows
  static constexpr int row_bytes = block_k * 4, k_bytes_a = block_m * 4;
  static constexpr int square_bytes = square_side * row_bytes, k_bytes_b = in_squares ? row_bytes : block_n * 4;
  static_assert(!in_squares || Policy::warp_n % square_side == 0);
  static constexpr int tile_bytes_a = swizzled_rows(block_m) * row_bytes, tile_bytes_b = block_n * row_bytes;

 public:
  using layout::rows, layout::columns, layout::in_fours, layout::group, layout::row, layout::column;
  static constexpr int later_rows = rows < 2 ? rows : 2;  // whose elements by row are read a step later
  static constexpr int steps = 8;                         // 32 of them miss the instruction cache
  static constexpr int parts = Policy::template parts<in_squares>, blocks = block_k / steps / parts,
                       rounds = Policy::groups / parts;

  /// Starts in this stage of the ring; `turned`: B's tiles are, and do not only lie in squares.
  __device__ consumer_fragments(void const* tiles_a, void const* tiles_b, int stage, bool turned)
      : first_a_(arch::shared_address_of(tiles_a)),
        first_b_(arch::shared_address_of(tiles_b) + arch::offset(offset_of_first_column())),
        changed_(turned ? 64 : 0) {
    if constexpr (ByRow) {
      // TMA's swizzle: piece c of a row lies at c ^ (address / 128 % 8). That is the same for all our rows where they
      // are a multiple of 8 apart.
      first_a_ += arch::offset(row(0) * row_bytes);
#pragma unroll
      for (int i = 0; i < phases; ++i) {
        phase_[i] = (first_a_ / 128 + arch::offset(i * lanes_m)) % 8 * 16;
      }
      first_a_ ^= (phases == 1 ? phase_[0] : 0) ^ arch::offset(first_step() * 4);
    } else {
      first_a_ += arch::offset(row(0) * 4 + first_step() * k_bytes_a);
    }
    first_b_ = by_row_b ? first_b_ ^ arch::offset(first_step() * 4) : first_b_ + arch::offset(first_step() * k_bytes_b);
    next_tile(stage);
    end_block();
  }

  /// Which of `rounds` tiles is its first, and from which step on it has a part of each of its tiles.
  __device__ static int first_tile() { return rounds == 1 ? 0 : group() / parts; }
  __device__ static int first_step() { return parts == 1 ? 0 : group() % parts * (block_k / parts); }

  /// Reads the fragments of the first step of the first tiles.
  __device__ void load_first() {
    if constexpr (ByRow) {
      load_rows<0, rows - later_rows>(from_a_);
    } else if constexpr (in_fours) {
#pragma unroll
      for (int q = 0; q < fours - 1; ++q) {
        load_four(q, from_a_);
      }
    } else {
      load_by_k(0, from_a_);
    }
    if constexpr (by_row_b) {
      load_columns<0, columns, lanes_n>(b_[0], from_b_);
    } else {
      load_b<0>(from_b_);
    }
  }

  /// The block of steps after this one, number `block` of the tile.
  __device__ void next_block(int block) {
    next_a_ = ByRow ? tile_a_ ^ arch::offset((block + 1) * steps * 4) : from_a_ + steps * k_bytes_a;
    next_b_ = by_row_b ? tile_b_ ^ arch::offset((block + 1) * steps * 4) : from_b_ + steps * k_bytes_b;
  }

  /// It is the first of the tiles in this stage.
  __device__ void next_tile(int stage) {
    tile_a_ = next_a_ = first_a_ + arch::offset(stage * tile_bytes_a);
    tile_b_ = next_b_ = first_b_ + arch::offset(stage * tile_bytes_b);
  }

  __device__ void end_block() {
    from_a_ = next_a_;
    from_b_ = next_b_;
  }

  /// Step k of the block, 0 to steps - 1: accum += a b^T, and the loads for the step after it.
  template <int k>
  __device__ void step(float (&accum)[rows][columns]) {
    constexpr bool last = k == steps - 1;
    if constexpr (!by_row_b) {
      load_b<(k + 1) % steps>(last ? next_b_ : from_b_);
    } else if constexpr (k < width) {
      load_columns<k * columns / width, (k + 1) * columns / width, lanes_n>(b_[1], from_b_ ^ 16);
    } else if constexpr (last) {
      load_columns<0, columns, lanes_n>(b_[0], next_b_);
    }
    float b[columns];
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      b[j] = by_row_b ? b_[k / width][j][k % width] : b_[k % 2][j / width][j % width];
    }
    if constexpr (ByRow) {
      constexpr bool reload = k % width == width - 1, completes = k % width == 0;
      auto const from = last ? next_a_ : from_a_ ^ (k / width + 1) * 16;
      if constexpr (completes) {
        load_rows<rows - later_rows, rows>(from_a_ ^ k / width * 16);
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        add_row(accum[i], i, a_[i][k % width], b);
        if (reload && i < rows - later_rows) {
          arch::load_shared(a_[i], address_of_row(from, i));
        }
      }
    } else if constexpr (in_fours) {
      load_four(fours - 1, from_a_ + k * k_bytes_a);
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        add_row(accum[i], i, a_[i / width][i % width], b);
        if (i % width == width - 1 && i < rows - width) {
          load_four(i / width, last ? next_a_ : from_a_ + (k + 1) * k_bytes_a);
        }
      }
    } else {
      load_by_k((k + 1) % 2, last ? next_a_ : from_a_ + (k + 1) * k_bytes_a);
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        add_row(accum[i], i, a_[k % 2 * fours + i / width][i % width], b);
      }
    }
  }

  /// Bits of what was read last of a tile, after its last step. Who lets TMA overwrite the tile must have them: TMA
  /// overtakes loads, it seems those behind stores that wait for the L2.
  __device__ std::uint32_t last_read() const {
    constexpr int i = ByRow ? rows - 1 : in_fours ? fours - 1 : 2 * fours - 1;
    float const a = a_[i][ByRow || in_fours ? 0 : (rows - 1) % width];
    float const b = b_[1][(by_row_b ? columns : columns / width) - 1][0];
    return __builtin_bit_cast(std::uint32_t, a) ^ __builtin_bit_cast(std::uint32_t, b);
  }

  /// Puts accumulators where column() says.
  __device__ static void straighten(float (&accum)[rows][columns]) {
    if constexpr (by_row_b) {
      straighten_columns(accum, tx());
    }
  }

 private:
  /// Where the thread's i-th row is, from its first.
  __device__ arch::shared_address address_of_row(arch::shared_address first, int i) const {
    return (phases == 1 ? first : first ^ phase_[i % phases]) + arch::offset(i * lanes_m * row_bytes);
  }

  template <int Begin, int End>
  __device__ void load_rows(arch::shared_address from) {
#pragma unroll
    for (int i = Begin; i < End; ++i) {
      arch::load_shared(a_[i], address_of_row(from, i));
    }
  }

  // To and fro, so that the element of b at each reversal comes out of the operand cache.
  __device__ static void add_row(float (&accum)[columns], int i, float a, float const (&b)[columns]) {
#pragma unroll
    for (int step = 0; step < columns; ++step) {
      int const j = i % 2 == 0 ? step : columns - 1 - step;
      accum[j] = fused_multiply_add(a, b[j], accum[j]);
    }
  }

  /// Where the thread's first column is, from the begin of the tile.
  __device__ static int offset_of_first_column() {
    int const first = column(0);
    if constexpr (by_row_b) {
      return offset_of_columns(first, tx());
    }
    return in_squares ? first / square_side * square_bytes + first % square_side * 4 : first * 4;
  }

  /// At step k of the block that begins there.
  template <int k>
  __device__ void load_b(arch::shared_address block) {
    if constexpr (in_squares) {
      load_square_line<k, lanes_n>(b_[k % 2], block, changed_);
    } else {
#pragma unroll
      for (int q = 0; q < columns / width; ++q) {
        arch::load_shared(b_[k % 2][q], block + arch::offset(k * k_bytes_b + q * lanes_n * 16));
      }
    }
  }

  __device__ void load_four(int q, arch::shared_address from) { arch::load_shared(a_[q], from + q * lanes_m * 16); }

  __device__ void load_by_k(int to, arch::shared_address from) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      arch::load_shared(a_[to * fours + i / width][i % width], from + i * lanes_m * 4);
    }
  }

  arch::shared_address first_a_, first_b_;        // in stage 0
  arch::shared_address phase_[phases];            // of the swizzle
  arch::shared_address tile_a_, tile_b_;          // in the stage at hand
  arch::shared_address from_a_, from_b_;          // of the block of steps at hand
  arch::shared_address next_a_ = 0, next_b_ = 0;  // of the one after it
  arch::shared_address changed_;                  // of a square's rows, in every second four: where halves begin
  float a_[ByRow ? rows : in_fours ? fours : 2 * fours][width];
  float b_[2][by_row_b ? columns : columns / width][width];
};

}  // namespace gemm::detail
