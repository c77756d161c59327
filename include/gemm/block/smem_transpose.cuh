// SPDX-License-Identifier: BSL-1.0
//! @file
//! A k-major tile of B becomes an mn-major one in place: squares of 32 x 32 floats are transposed by producer warps
//! that have little else to do, while others multiply.
//!
//!     before, in TMA's swizzle   a row of 128 bytes for each column, its 16-byte pieces swizzled
//!     after                      for each 32 columns a square, a row of 128 bytes for each k; in every second four of
//!                                them the halves of the rows are exchanged
//!
//! Multiplying out of the k-major tile was slower in any order of reads (docs/tuning-notes.md, smem_transpose).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// A side of a square, and the warps that transpose: those of a producer warpgroup that issue no TMA.
inline constexpr int square_side = 32, square_transposing_warps = 3;

/// Whether a policy's kernel transposes the tiles of a problem's B, where TMA loads them and it is not a copy in
/// squares.
template <class Policy, class Problem>
inline constexpr bool smem_transposes = Problem::storage::b == major::k&& Policy::info.smem_transposes_b;

/// Whether a policy's consumers multiply out of k-major tiles of B.
template <class Policy, class Problem>
inline constexpr bool reads_k_major_b = Problem::storage::b == major::k&& Policy::info.reads_k_major_b;

/// How a consumer finds B's tiles: by k, in squares, or k-major.
enum class tile_of_b : unsigned char { by_k, in_squares, by_row };
template <class Policy, class Problem, bool Tma>
inline constexpr tile_of_b tile_of_b_in = !Tma                               ? tile_of_b::by_k
                                          : smem_transposes<Policy, Problem> ? tile_of_b::in_squares
                                          : reads_k_major_b<Policy, Problem> ? tile_of_b::by_row
                                                                             : tile_of_b::by_k;

/// The alternative is a copy of B in memory that lies in squares already, those of 32 columns one below the other: TMA
/// loads tiles of it that need no transpose. These are its columns of squares, and the stride of their first elements.
__host__ __device__ constexpr std::int64_t square_columns(std::int64_t n) {
  return (n + square_side - 1) / square_side;
}
constexpr std::int64_t square_column_stride(std::int64_t k) { return k * square_side; }

/// Makes the barriers ready that complete when B's tiles have landed, by one thread.
template <int Stages>
__device__ void init_landed(arch::mbarrier (&landed)[Stages]) {
  for (arch::mbarrier& barrier : landed) {
    arch::mbarrier_init(barrier, 1);
  }
}

/// A lane's position in half a square, which a warp transposes at a time: the 4 x 4 blocks on four of its eight
/// diagonals, which are exchanged with each other. The eight lanes that read or write together have one diagonal, and
/// different banks.
class square_lane {
  static constexpr int width = 4, line_bytes = square_side * 4;
  using address = arch::shared_address;

 public:
  __device__ square_lane() {
    int const lane = static_cast<int>(threadIdx.x) % 32, column = lane % 8, k = column ^ lane / 8;
    from_ = static_cast<address>(column * width * line_bytes + (k ^ column % 2 * 4) * 16);
    to_ = static_cast<address>(k * width * line_bytes + (column ^ k % 2 * 4) * 16);
  }

  /// Transposes half 0 or 1 of a square, which is at a multiple of 1024 bytes.
  __device__ void turn(address square, int half) const {
    address const upper = arch::offset(half);
    address const from = square + (from_ ^ upper * 64), to = square + (to_ ^ upper * (4 * width * line_bytes));
    float block[width][width];
#pragma unroll
    for (int i = 0; i < width; ++i) {
      arch::load_shared(block[i], (from ^ arch::offset(i * 16)) + arch::offset(i * line_bytes));
    }
    __syncwarp();  // for all of the half to be read
#pragma unroll
    for (int i = 0; i < width; ++i) {
      float const line[] = {block[0][i], block[1][i], block[2][i], block[3][i]};
      arch::store_shared(to + arch::offset(i * line_bytes), line);
    }
  }

 private:
  address from_, to_;  // in the first half
};

/// Reads a thread's pieces of row K out of eight that begin at `block`, from each square that has some. Each piece is
/// LanesN further than the one before. `changed`: 64, where halves of rows are exchanged, else 0.
template <int K, int LanesN, int Pieces>
__device__ void load_square_line(float (&b)[Pieces][4], arch::shared_address block, arch::shared_address changed) {
  constexpr int pieces = square_side / 4, half = pieces / 2, in_square = pieces / LanesN > 1 ? pieces / LanesN : 1;
  constexpr int line_bytes = square_side * 4, square_bytes = square_side * line_bytes;
  arch::shared_address const halves[] = {K / 4 % 2 == 0 ? block : block ^ changed,
                                         K / 4 % 2 == 0 ? block + half * 16 : block ^ changed ^ half * 16};
#pragma unroll
  for (int q = 0; q < Pieces; ++q) {
    int const square = q / in_square * (LanesN > pieces ? LanesN / pieces : 1), piece = q % in_square * LanesN;
    arch::load_shared(b[q],
                      halves[piece / half] + arch::offset(K * line_bytes + square * square_bytes + piece % half * 16));
  }
}

/// Halves of squares in a tile of B.
template <class Policy>
inline constexpr int halves_of_tile = Policy::block_n / square_side * 2;

/// Transposes the next so many tiles of B from this stage of the ring on, by warps 1 to 3 of the block. Each does every
/// third half of a square, of whichever tile, when the tile has landed, and arrives where the stage becomes full. Who
/// issues the next TMA load there has waited for all readers, and has the fence between these writes and TMA's.
///
/// A warp waits for tiles that it has no half of, too. Tiles may land in another order than they were issued. While the
/// one before in a stage is in flight, the phase that the next one ends has the parity of the last. Without the wait a
/// launch in some hundred failed (seen on an H100, tests/properties/large_test).
template <class Policy, class Storage>
__device__ void transpose_tiles(Storage& shared, ring_position<Policy::stages> const& position, int tiles) {
  constexpr int halves = halves_of_tile<Policy>, square_bytes = square_side * square_side * 4, stages = Policy::stages;
  square_lane const lane;
  int index = position.stage + static_cast<int>(position.phase) * stages;  // in two rounds of the ring: one register
  for (int half = static_cast<int>(threadIdx.x) / 32 - 1; tiles > 0; --tiles, half -= halves) {
    int const stage = index % stages;
    arch::shared_address const tile = arch::shared_address_of(&shared.b[stage]);
    arch::mbarrier_wait_parity(shared.landed[stage], index >= stages ? 1U : 0U);  // for TMA to have loaded B
    for (; half < halves; half += square_transposing_warps) {
      lane.turn(tile + static_cast<unsigned>(half) / 2 * square_bytes, half % 2);
      __syncwarp();
      if (threadIdx.x % 32 == 0) {
        arch::mbarrier_arrive(shared.full[stage]);
      }
    }
    index = index + 1 < 2 * stages ? index + 1 : 0;
  }
}

}  // namespace gemm::detail
