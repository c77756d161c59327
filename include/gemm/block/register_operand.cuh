// SPDX-License-Identifier: BSL-1.0
//! @file
//! An mn-major tile of tf32, which wgmma does not read: through the warpgroups' registers, as wgmma's first operand.
//!
//! That operand is the transpose of B's tile, of 128 columns for each warpgroup, and the accumulators are the transpose
//! of C's. Any of its 2 x 64 rows may be any column of B. This choice gives a thread 4 neighbours at a time, of B and
//! of C:
//!
//!     row 16 w + 8 h + g of piece p     column 32 w + 4 (4 (g % 2) + g / 2) + 2 p + h
//!
//! with g = l / 4 of lane l in warp w. 16 bytes of a row of shared memory are then a thread's part of a k. The 8 lanes
//! that load together, 4 k and 2 g, have different banks by the swizzle.
//!
//! A copy of B, transposed in memory, takes longer.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Whether a tensor-core policy's kernel takes a B that is mn-major, of elements that wgmma takes k-major alone.
template <class Policy>
inline constexpr bool has_register_operand = Policy::info.register_operand_b;

/// A thread's place in a warpgroup's part of such a tile.
struct register_operand_tile {
  static constexpr int columns = 128, pieces = 2, line_bytes = 128;
  static constexpr int box_bytes = 32 * line_bytes, bytes = columns / 32 * box_bytes;

  /// Which 16 bytes of a row of its warp's box are a thread's, before the swizzle.
  __device__ static int part(int thread) {
    int const g = thread % 32 / 4;
    return g % 2 * 4 + g / 2;
  }
  __device__ static int part() { return part(static_cast<int>(threadIdx.x)); }
  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32 % 4; }

  /// Where the j-th four neighbours of a thread's accumulators belong in the warpgroup's part of C's tile.
  __device__ static int row(int thread, int j) { return thread % 4 * 2 + j / 2 * 8 + j % 2; }
  __device__ static int column(int thread) { return thread / 32 % 4 * 32 + part(thread) * 4; }

  /// What wgmma reads of 8 k of the tile, the `step`-th.
  __device__ static void load(unsigned char const* tile, int step, arch::wgmma_fragment (&to)[pieces]) {
    int const first = static_cast<int>(threadIdx.x) % 4;
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      int const k = first + 4 * j;
      auto const four = load_vector<4>(reinterpret_cast<std::uint32_t const*>(
          tile + warp() * box_bytes + (8 * step + k) * line_bytes + (part() ^ k) * 16));
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        to[i / 2].word[2 * j + i % 2] = four.element[i];
      }
    }
  }
};

/// The thread's j-th four neighbours of a row of C.
template <int Accums, class Accum>
__device__ vector<Accum, 4> transposed_neighbours(Accum const (&accum)[register_operand_tile::pieces][Accums], int j) {
  int const first = 4 * (j / 2) + j % 2;
  return {accum[0][first], accum[0][first + 2], accum[1][first], accum[1][first + 2]};
}

/// A warpgroup's accumulators over so many tiles of k, with its 128 columns of B's tiles; give_back(stage) where it has
/// read a stage. The next fragment of B is loaded to registers during a multiplication, which else waits for it.
template <class Policy, class Problem, class GiveBack>
__device__ void multiply_register_operand(
    int tiles, typename Policy::shared_storage& shared, int warpgroup, ring_position<Policy::stages>& position,
    typename Problem::accum (&accum)[register_operand_tile::pieces][Policy::block_m / 2], GiveBack give_back) {
  using tile_a = swizzled_tile<typename Problem::element_a, major::k, Policy::block_m, Policy::block_k>;
  constexpr int steps = Policy::block_k / tile_a::depth, unfinished = steps - 2;
  arch::matrix_descriptor const first_a = tile_a::matrix(shared.a[0], 0);
  arch::wgmma_fragment of_b[steps][register_operand_tile::pieces];
  auto const load = [&](int stage, int step) {
    register_operand_tile::load(shared.b[stage] + warpgroup * register_operand_tile::bytes, step, of_b[step]);
  };
  if (tiles > 0) {
    arch::mbarrier_wait_parity(shared.full[position.stage], position.phase);  // for the first tiles
    load(position.stage, 0);
  }
  int last = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    int const stage =
        __shfl_sync(0xffffffffU, position.stage, 0);  // the same for the whole warp, as the compiler must know
    arch::matrix_descriptor const a = arch::advanced(first_a, stage * tile_a::bytes);
    ring_position<Policy::stages> next = position;
    if (tile + 1 < tiles) {
      next.advance();
    }
#pragma unroll
    for (int i = 0; i < steps; ++i) {
      if (i + 1 < steps) {
        load(stage, i + 1);
      } else {
        arch::mbarrier_wait_parity(shared.full[next.stage], next.phase);  // for the next tiles
        load(next.stage, 0);  // after the last ones those once more: in no branch, or ptxas serializes all
      }
      arch::wgmma_fence();
#pragma unroll
      for (int piece = 0; piece < register_operand_tile::pieces; ++piece) {
        arch::wgmma(accum[piece], of_b[i][piece], arch::advanced(a, i * tile_a::step), tile > 0 || i > 0);
      }
      arch::wgmma_commit_group();
      arch::wgmma_wait_group<unfinished>();  // for those whose registers are loaded next
      if (i == unfinished - 1 && tile > 0) {
        give_back(last);  // the multiplications of the tiles before have ended
      }
    }
    last = stage;
    position.advance();
  }
  arch::wgmma_wait_group<0>();  // for the last
  if (tiles > 0) {
    give_back(last);
  }
}

/// Stores a warpgroup's accumulators, of all of the tile's rows and 128 of its columns from `column` on.
template <int Accums, class Problem, class Accum>
__device__ void store_register_operand_tile(Problem const& p,
                                            Accum const (&accum)[register_operand_tile::pieces][Accums],
                                            block_tile const& tile, std::int64_t column) {
  int const thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int j = 0; j < Accums / 2; ++j) {
    store_row<4>(p, transposed_neighbours(accum, j).element, tile.row + register_operand_tile::row(thread, j),
                 column + register_operand_tile::column(thread), tile.batch);
  }
}

}  // namespace gemm::detail
