// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a consumer thread of the warp-specialised rung reads from shared memory, and in which order it multiplies.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/shared_load.cuh>
#include <gemm/block/turned_squares.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Lanes of a warp along m: each has 8 rows, or, where that is no power of two, a fourth of the rows each.
constexpr int consumer_lanes_m(int warp_m) { return warp_m % 8 == 0 && divides(warp_m / 8, 32) ? warp_m / 8 : 4; }

/// Rows of a tile of A in shared memory: whole groups of eight, after which the swizzle repeats.
constexpr int swizzled_rows(int block_m) { return (block_m + 7) / 8 * 8; }

/// The fragments of a thread with some rows and columns of its warp's elements, 8 x 8 or 8 x 16 in most policies, for
/// one step of k after the other. The lanes are lanes_m x lanes_n. B lies [k][n] in shared memory, or turned, in
/// squares (block/turned_squares.cuh), and the thread's columns are 4 * tx + 4 * lanes_n * (j / 4) + j % 4. A lies
///
///     by k, [k][m]      rows 4 * ty + 4 * lanes_m * (i / 4) + i % 4; four of them at a time are read for the next step
///                       when they have been used, the last four as it begins. Where a thread's rows are no multiple
///                       of four, they are ty + lanes_m * i, and all of the next step are read during this one
///     by row, [m][k]    rows ty + lanes_m * i, swizzled in pieces of 16 bytes: four k of a row at a time, read over
///                       the old ones as soon as their last has been used; those of the last two rows as the next
///                       step begins, or the compiler reads them early and saves the old ones by moves that wait
///                       (sm_90, 4096^3: 53.7 instead of 54.4 TFLOP/s)
///
/// Lane bit 0 is the first of ty, the next are tx, the others the rest of ty: among four neighbouring lanes at most two
/// ask for different elements of A and of B each, and a 16-byte load takes two passes instead of four (sm_90: 2.23
/// against 4.06 clocks).
template <class Policy, bool ByRow, bool TurnedB>
class consumer_fragments {
  static constexpr int block_k = Policy::block_k;

 public:
  static constexpr int block_m = Policy::block_m, block_n = Policy::block_n;

 private:
  static constexpr int warps_m = block_m / Policy::warp_m, warps_n = block_n / Policy::warp_n, width = 4;
  static constexpr int lanes_m = consumer_lanes_m(Policy::warp_m), lanes_n = 32 / lanes_m;
  static constexpr int turns = lanes_m < 8 ? 8 / lanes_m : 1;
  static constexpr int fours = (Policy::warp_m / lanes_m + width - 1) / width;  // that hold a step's rows
  static constexpr int row_bytes = block_k * 4, k_bytes_a = block_m * 4;
  static constexpr int square_bytes = square_side * row_bytes, k_bytes_b = TurnedB ? row_bytes : block_n * 4;
  static_assert(!TurnedB || Policy::warp_n % square_side == 0);
  static constexpr int tile_bytes_a = swizzled_rows(block_m) * row_bytes, tile_bytes_b = block_n * row_bytes;

 public:
  static constexpr int rows = Policy::warp_m / lanes_m, columns = Policy::warp_n / lanes_n;
  static constexpr int later_rows = rows < 2 ? rows : 2;  // whose elements by row are read a step later
  static constexpr bool in_fours = rows % width == 0 && rows > width;
  static constexpr int steps = 8;  // 32 of them miss the instruction cache (sm_90: 52.3 instead of 53.5 TFLOP/s)

  /// Starts in this stage of the ring; `turned`: B's tiles are, and do not only lie in squares.
  __device__ consumer_fragments(void const* tiles_a, void const* tiles_b, int stage, bool turned)
      : first_a_(arch::shared_address_of(tiles_a)),
        first_b_(arch::shared_address_of(tiles_b) + offset_of_first_column()),
        changed_(turned ? 64 : 0) {
    if constexpr (ByRow) {
      // TMA's swizzle: of the pieces of a row, number c lies at c ^ (address / 128 % 8), which is the same for all our
      // rows where they are a multiple of 8 apart.
      first_a_ += row(0) * row_bytes;
#pragma unroll
      for (int i = 0; i < turns; ++i) {
        turn_[i] = (first_a_ / 128 + i * lanes_m) % 8 * 16;
      }
      first_a_ ^= turns == 1 ? turn_[0] : 0;
    } else {
      first_a_ += row(0) * 4;
    }
    next_tile(stage);
    end_block();
  }

  /// Which of the groups of warps, that share a tile of C, the thread belongs to, and its number in there.
  __device__ static int group() { return Policy::groups == 1 ? 0 : consumer_warp() / (warps_m * warps_n); }
  __device__ static int thread_of_group() { return warp() * 32 + lane(); }

  /// The thread's i-th row and j-th column in the block's tile.
  __device__ static int row(int i) {
    int const ty = (lane() & 1) | lane() / (2 * lanes_n) << 1, first = warp() / warps_n * Policy::warp_m;
    return first + (ByRow || !in_fours ? ty + lanes_m * i : 4 * ty + 4 * lanes_m * (i / 4) + i % 4);
  }
  __device__ static int column(int j) {
    return warp() % warps_n * Policy::warp_n + lane() / 2 % lanes_n * 4 + 4 * lanes_n * (j / 4) + j % 4;
  }

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
    load_b<0>(from_b_);
  }

  /// The block of steps after this one, number `block` of the tile.
  __device__ void next_block(int block) {
    next_a_ = ByRow ? tile_a_ ^ (block + 1) * steps * 4 : from_a_ + steps * k_bytes_a;
    next_b_ = from_b_ + steps * k_bytes_b;
  }

  /// It is the first of the tiles in this stage.
  __device__ void next_tile(int stage) {
    tile_a_ = next_a_ = first_a_ + stage * tile_bytes_a;
    next_b_ = first_b_ + stage * tile_bytes_b;
  }

  __device__ void end_block() {
    from_a_ = next_a_;
    from_b_ = next_b_;
  }

  /// Step k of the block, 0 to steps - 1: sum += a b^T, and the loads for the step after it.
  template <int k>
  __device__ void step(float (&sum)[rows][columns]) {
    constexpr bool last = k == steps - 1;
    load_b<(k + 1) % steps>(last ? next_b_ : from_b_);
    if constexpr (ByRow) {
      constexpr bool reload = k % width == width - 1, completes = k % width == 0;
      auto const from = last ? next_a_ : from_a_ ^ (k / width + 1) * 16;
      if constexpr (completes) {
        load_rows<rows - later_rows, rows>(from_a_ ^ k / width * 16);
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        add_row(sum[i], i, a_[i][k % width], b_[k % 2]);
        if (reload && i < rows - later_rows) {
          arch::load_shared(a_[i], address_of_row(from, i));
        }
      }
    } else if constexpr (in_fours) {
      load_four(fours - 1, from_a_ + k * k_bytes_a);
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        add_row(sum[i], i, a_[i / width][i % width], b_[k % 2]);
        if (i % width == width - 1 && i < rows - width) {
          load_four(i / width, last ? next_a_ : from_a_ + (k + 1) * k_bytes_a);
        }
      }
    } else {
      load_by_k((k + 1) % 2, last ? next_a_ : from_a_ + (k + 1) * k_bytes_a);
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        add_row(sum[i], i, a_[k % 2 * fours + i / width][i % width], b_[k % 2]);
      }
    }
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static int consumer_warp() { return (static_cast<int>(threadIdx.x) - Policy::producer_threads) / 32; }
  __device__ static int warp() { return consumer_warp() % (warps_m * warps_n); }

  /// Where the thread's i-th row is, from its first.
  __device__ arch::shared_address address_of_row(arch::shared_address first, int i) const {
    return (turns == 1 ? first : first ^ turn_[i % turns]) + i * lanes_m * row_bytes;
  }

  template <int Begin, int End>
  __device__ void load_rows(arch::shared_address from) {
#pragma unroll
    for (int i = Begin; i < End; ++i) {
      arch::load_shared(a_[i], address_of_row(from, i));
    }
  }

  // To and fro, so that the element of b at each turn comes out of the operand cache.
  __device__ static void add_row(float (&sum)[columns], int i, float a, float const (&b)[columns / width][width]) {
#pragma unroll
    for (int step = 0; step < columns; ++step) {
      int const j = i % 2 == 0 ? step : columns - 1 - step;
      sum[j] = fused_multiply_add(a, b[j / width][j % width], sum[j]);
    }
  }

  /// Where the thread's first column is, from the begin of the tile.
  __device__ static int offset_of_first_column() {
    int const first = column(0);
    return TurnedB ? first / square_side * square_bytes + first % square_side * 4 : first * 4;
  }

  /// At step k of the block that begins there.
  template <int k>
  __device__ void load_b(arch::shared_address block) {
    constexpr int pieces = square_side / width, half = pieces / 2;
    constexpr int in_square = pieces / lanes_n > 1 ? pieces / lanes_n : 1;
    arch::shared_address const halves[] = {k / width % 2 == 0 ? block : block ^ changed_,
                                           k / width % 2 == 0 ? block + half * 16 : block ^ changed_ ^ half * 16};
#pragma unroll
    for (int q = 0; q < columns / width; ++q) {
      if constexpr (TurnedB) {
        int const square = q / in_square * (lanes_n > pieces ? lanes_n / pieces : 1), piece = q % in_square * lanes_n;
        arch::load_shared(b_[k % 2][q],
                          halves[piece / half] + k * k_bytes_b + square * square_bytes + piece % half * 16);
      } else {
        arch::load_shared(b_[k % 2][q], block + k * k_bytes_b + q * lanes_n * 16);
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
  arch::shared_address turn_[turns];              // of the swizzle
  arch::shared_address tile_a_;                   // in the stage at hand
  arch::shared_address from_a_, from_b_;          // of the block of steps at hand
  arch::shared_address next_a_ = 0, next_b_ = 0;  // of the one after it
  arch::shared_address changed_;                  // of a square's lines, in every second four: where halves begin
  float a_[ByRow ? rows : in_fours ? fours : 2 * fours][width];
  float b_[2][columns / width][width];
};

}  // namespace gemm::detail
