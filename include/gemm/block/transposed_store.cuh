// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stores of a warpgroup's accumulators that are the transpose of C's.
//!
//! wgmma's first operand was then B. A warpgroup has 64 columns of C. Warp w has the accumulators of columns 16 w to 16
//! w + 15, its lane l
//!
//!     accum[4 * j + 2 * h + e]   in row 8 j + 2 (l % 4) + e and column 16 w + l / 4 + 8 h
//!
//! and stmatrix transposes them. So that TMA stores whole rows of 128 bytes, the four warps write 64 rows together, and
//! each stores 16 of them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/stmatrix.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/arch/tma_store.cuh>
#include <gemm/block/ordinary_factors.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/epilogue/accum_factors.hpp>

namespace gemm::detail {

/// A thread's place in 64 columns.
struct transposed_position {
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32 % 4;

  __device__ int row(int j, int e) const { return 8 * j + 2 * (lane % 4) + e; }
  __device__ int column(int h) const { return 16 * warp + lane / 4 + 8 * h; }
};

/// Stores the 64 columns from the registers, element by element, `tile.column` being their first.
template <int Accums, class Problem, class Accum>
__device__ void store_transposed_elements(Problem const& p, Accum const (&accum)[Accums], block_tile const& tile) {
  constexpr int at_once = 16, groups = Accums / at_once;
  transposed_position const position;
  auto const store = [&](Accum const* stored, int count, int first_row) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      store_row<1>(p, stored + i, tile.row + first_row + position.row(i / 4, i % 2),
                   tile.column + position.column(i / 2 % 2), tile.batch);
    }
  };
#pragma unroll 1
  for (int group = 0; group < groups; ++group) {
    Accum of_group[at_once];
    accum_of_group(accum, group, of_group);
    store(of_group, at_once, group * 2 * at_once);
  }
  store(accum + groups * at_once, Accums % at_once, groups * 2 * at_once);
}

/// Stores them by TMA: 16 rows a box, of which the last begins within the one before where 8 are left. These are stored
/// twice, but for an epilogue computed once.
template <factors Factors, int Count, int Accums, class Product, class Accum>
__device__ void store_transposed_boxes(Product const& params, store_stages<Count>* staged, int warpgroup, int& next,
                                       Accum const (&accum)[Accums], block_tile const& tile) {
  using problem = problem_of_product<Product>;
  using output = typename problem::output;
  using box = staged_box<output>;
  constexpr int last = 2 * Accums - box::rows, boxes = (2 * Accums + box::rows - 1) / box::rows, barrier = 1;
  constexpr bool plain = epilogue_facts_of<problem>::is_plain;
  static_assert(sizeof(output) == 2 && Accums % 4 == 0);
  transposed_position const position;
  int const line = position.lane / 16 * 8 + position.lane % 8,
            piece = (2 * position.warp + position.lane / 8 % 2) ^ line % 8;
  // The same for the whole warp, which the compiler must know to ask TMA in few instructions.
  auto const of_warp = [](std::int64_t i) { return __shfl_sync(0xffffffffU, static_cast<int>(i), 0); };
  int const row = of_warp(tile.row), column = of_warp(tile.column), batch = of_warp(tile.batch),
            warp = of_warp(position.warp);
  std::uint32_t words[4];
  partial_for<problem> partial{};
#pragma unroll
  for (int begin = 0; begin < boxes; begin += 4) {
    if (position.lane == 0) {
      arch::bulk_wait_group_read<Count - 1>();  // for what this warp's buffer held
    }
    arch::named_barrier_sync(barrier + warpgroup, 128);  // for the other warps' buffers
#pragma unroll
    for (int b = begin; b < begin + 4 && b < boxes; ++b) {
      int const first = b * box::rows < last ? b * box::rows : last;
      bool const repeats = !plain && first < b * box::rows;
      if (repeats) {
        words[0] = words[2];
        words[1] = words[3];
      }
      vector<output, 2> pairs[4];
      finish_all<8, false, Factors>(
          params.loads.problem, repeats ? 4 : 0, tile.batch, partial,
          [&](int i) {
            return accum_at<problem>{accum[first / 2 + i], output{}, tile.row + first + position.row(i / 4, i % 2),
                                     tile.column + position.column(i / 2 % 2)};
          },
          [&](int i, output element) { pairs[i / 2].element[i % 2] = element; });
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (!repeats || i >= 2) {
          words[i] = __builtin_bit_cast(std::uint32_t, pairs[i]);
        }
      }
      arch::stmatrix_transposed(staged[b - begin].buffer[next] + line * box::line_bytes + piece * 16, words);
    }
    arch::fence_proxy_async();                           // the writes, for TMA
    arch::named_barrier_sync(barrier + warpgroup, 128);  // for those of the other warps
    if (position.lane == 0) {
      int const mine = (begin + warp) * box::rows;
      if (begin + warp < boxes) {
        arch::tma_store(params.c, column, row + (mine < last ? mine : last), matrix_of_c(params, batch),
                        staged[warp].buffer[next]);
      }
      arch::bulk_commit_group();
    }
    next = next + 1 < Count ? next + 1 : 0;
  }
  flush_partial(params.loads.problem, partial);
}

/// Stores a warpgroup's accumulators, of all rows of the tile and 64 columns from `tile.column` on. As store_staged(),
/// with the buffers of its four warps, which are used together.
template <int Count, int Accums, class Product, class Accum>
__device__ void store_transposed(Product const& params, store_stages<Count>* staged, int warpgroup, int& next,
                                 Accum const (&accum)[Accums], block_tile const& tile) {
  using problem = problem_of_product<Product>;
  using output = typename problem::output;
  constexpr bool plain = epilogue_facts_of<problem>::is_plain, rounds_only = epilogue_facts_of<problem>::is_identity;
  problem const& p = params.loads.problem;
  if (tile.row >= p.m || tile.column >= p.n) {
    return;  // the whole warpgroup
  }
  if constexpr (sizeof(output) == 2) {
    bool const inside = tile.row + 2 * Accums <= p.m && tile.column + 64 <= p.n;
    if (params.stores && ((plain && is_clipped<Product>) || inside) &&
        has_ordinary_factors<2 * Accums, 64>(p, tile.row, tile.column, tile.batch)) {
      if (rounds_only && p.alpha == 1) {
        store_transposed_boxes<rounds_only ? factors::one : factors::ordinary>(params, staged, warpgroup, next, accum,
                                                                               tile);
      } else {
        store_transposed_boxes<factors::ordinary>(params, staged, warpgroup, next, accum, tile);
      }
      return;
    }
  }
  store_transposed_elements(p, accum, tile);
}

}  // namespace gemm::detail
