// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warpgroup's finished accumulators wait in registers, rounded to half as many, while it multiplies its next tile.
//! Box by box they go to C between the multiplications, for which the tensor cores then hardly wait.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/epilogue/accum_factors.hpp>

namespace gemm::detail {

/// What a warpgroup has of a tile of C, with 64 rows and Accums accumulators in each of its threads, and where it
/// belongs.
template <class Layout, class Output, int Accums>
struct overlapped_boxes {
  using output = Output;
  using output_pair = vector<output, 2>;
  static constexpr int columns = staged_box<output>::columns, last = 2 * Accums - columns,
                       count = (2 * Accums + columns - 1) / columns;
  std::uint32_t pairs[Accums / 4][2];  // as words, or the compiler keeps their halves apart
  int left = 0;                        // boxes that are not stored yet
  int row, column, batch;

  /// Rounds the accumulators, once all boxes of those before are stored. `tile` is where the warpgroup's rows begin.
  template <class Problem>
  __device__ void take(Problem const& p, typename Problem::accum const (&accum)[Accums], block_tile const& tile) {
    row = of_first_lane(tile.row + Layout::warp_row());
    column = of_first_lane(tile.column);
    batch = of_first_lane(tile.batch);
    left = row < p.m ? count : 0;
    constexpr bool rounds_only = epilogue_facts_of<Problem>::is_identity;
    if (rounds_only && p.alpha == 1) {
      finish_all<rounds_only ? factors::one : factors::any>(p, accum);
    } else {
      finish_all<factors::any>(p, accum);
    }
  }

  /// What they are no longer matters: without this, they would keep their registers.
  __device__ void forget() {
#pragma unroll
    for (auto& pairs_of_columns : pairs) {
      pairs_of_columns[0] = pairs_of_columns[1] = 0;
    }
  }

  /// Stores the next box, if one is left, by TMA, which leaves out what lies outside C.
  template <int Count, class Product>
  __device__ void store_next(Product const& params, store_stages<Count>& staged, int& next) {
    if (left > 0) {
      store_if_next<0>(params, staged, next);
    }
  }

 private:
  template <factors Factors, class Problem>
  __device__ void finish_all(Problem const& p, typename Problem::accum const (&accum)[Accums]) {
#pragma unroll
    for (int j = 0; j < Accums / 4; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        vector<output, 2> pair;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          pair.element[e] =
              finish<false, Factors>(p, accum[4 * j + 2 * i + e], output{}, 0, 0, batch);  // wherever it is
        }
        pairs[j][i] = __builtin_bit_cast(std::uint32_t, pair);
      }
    }
  }

  /// Registers have no index: a branch for each box.
  template <int Box, int Count, class Product>
  __device__ void store_if_next(Product const& params, store_stages<Count>& staged, int& next) {
    if constexpr (Box < count) {
      if (left == count - Box) {
        constexpr int first = Box * columns < last ? Box * columns : last;
        box_pairs<output> box;
#pragma unroll
        for (int j = 0; j < columns / 8; ++j) {
#pragma unroll
          for (int i = 0; i < 2; ++i) {
            box[j][i] = __builtin_bit_cast(output_pair, pairs[first / 8 + j][i]);
          }
        }
        wait_for_buffer<Count>();
        store_box(params, staged, next, box, column + first, row, batch);
        --left;
      } else {
        store_if_next<Box + 1>(params, staged, next);
      }
    }
  }
};

/// Whether a policy's warpgroups store so: nothing but a rounding is left to compute, as longer epilogues are better
/// hidden behind another warpgroup's multiplications.
template <class Policy, class Problem>
inline constexpr bool defers_stores = Policy::info.overlapped_epilogue &&
                                      sizeof(typename Problem::output) == 2 && epilogue_facts_of<Problem>::is_plain;

}  // namespace gemm::detail
