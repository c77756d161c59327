// SPDX-License-Identifier: BSL-1.0
//! @file
//! A k-major tile of B becomes an mn-major one in its own place: squares of 32 x 32 floats are turned by warps that
//! have little else to do, while others multiply.
//!
//!     before, as TMA leaves it   a line of 128 bytes for each column, its 16-byte pieces swizzled
//!     after                      for each 32 columns a square, a line of 128 bytes for each k; in every second four of
//!                                them the halves of the lines have changed places
//!
//! To multiply out of the k-major tile was slower, four or two k of a column in neighbouring registers, in whatever
//! order (H200, nt 4096^3: at least 3.2 ms, where nn takes 2.5).
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

/// A side of a square, and who turns them: the warps of a producer warpgroup that ask for nothing.
inline constexpr int square_side = 32, turning_warps = 3;

/// Whether a policy's kernel turns the tiles of a problem's B, where TMA brings them and it is not a copy in squares.
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

/// The other way is a copy of B in memory that lies in squares already, those of 32 columns one below the other: TMA
/// brings tiles of it that need no turning. So many columns of squares it has, and so far apart are their first
/// elements.
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

/// A lane's place in what a warp turns at a time, a half of a square: the 4 x 4 blocks on four of its eight diagonals,
/// which change places among themselves. The eight lanes that read or write at the same time have one diagonal, and
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

  /// Turns half 0 or 1 of a square, which is at a multiple of 1024 bytes.
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

/// Reads a thread's pieces of line K out of eight that begin at `block`, in as many squares as they are in: each piece
/// LanesN further than the one before. `changed`: 64, where halves of lines have changed places, else 0.
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

/// Turns the tiles of B that come, so many of them from this place in the ring on, by warps 1 to 3 of the block: each
/// does every third half of a square, of whichever tile, when the tile has landed, and arrives where the stage becomes
/// full. Who asks TMA for the next tile there has waited for all who have read this one, and has the fence between
/// these writes and TMA's.
///
/// A warp waits for tiles that it has no half of, too. Tiles may land in another order than they were asked for, and
/// while the one before in a stage is on its way, the phase that the next one ends has the parity of the last: not to
/// wait ended in a failed launch, of an H100's after some hundred (tests/properties/large_test). (A fence by each lane
/// that turns: H200, nt 160x5120x5120 in 64 x 64 tiles 246 instead of 238 us. Every third half of each tile, so that
/// one warp has two of four and two have one: 256x256x65536 287 instead of 274.)
template <class Policy, class Storage>
__device__ void turn_tiles(Storage& shared, ring_place<Policy::stages> const& at, int tiles) {
  constexpr int halves = halves_of_tile<Policy>, square_bytes = square_side * square_side * 4, stages = Policy::stages;
  square_lane const lane;
  int place = at.stage + static_cast<int>(at.phase) * stages;  // in two rounds of the ring: one register
  for (int half = static_cast<int>(threadIdx.x) / 32 - 1; tiles > 0; --tiles, half -= halves) {
    int const stage = place % stages;
    arch::shared_address const tile = arch::shared_address_of(&shared.b[stage]);
    arch::mbarrier_wait_parity(shared.landed[stage], place >= stages ? 1U : 0U);  // for TMA to have loaded B
    for (; half < halves; half += turning_warps) {
      lane.turn(tile + static_cast<unsigned>(half) / 2 * square_bytes, half % 2);
      __syncwarp();
      if (threadIdx.x % 32 == 0) {
        arch::mbarrier_arrive(shared.full[stage]);
      }
    }
    place = place + 1 < 2 * stages ? place + 1 : 0;
  }
}

}  // namespace gemm::detail
