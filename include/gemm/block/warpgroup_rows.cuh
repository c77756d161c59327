// SPDX-License-Identifier: BSL-1.0
//! @file
//! The accumulators of a warpgroup, stored to rows of C that are misaligned for 16-byte stores: through shared memory,
//! row by row.
//!
//! From registers, every lane would store to another sector of the L2, and warps would share sectors at both ends of
//! their columns.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/shared_load.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shifted.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/epilogue/accum_factors.hpp>

namespace gemm::detail {

/// A warp's memory for 16 / sizeof(T) rows of Columns elements T, at most 8. They are padded by 16 bytes, so that the
/// lanes of different rows use different banks.
template <int Columns>
struct warp_row_buffer {
  alignas(16) unsigned char bytes[8 * (Columns * 2 + 16)];

  template <class T>
  __device__ T* line(int i) {
    return reinterpret_cast<T*>(bytes + i * (Columns * static_cast<int>(sizeof(T)) + 16));
  }
};

/// Puts a lane's elements of a row, its pairs of a warpgroup's accumulators, into a row of it. Elements outside C are
/// left out, if there are any and not All is wanted.
template <bool All, int Count, class Problem, class Accum>
__device__ void finish_row(Problem const& p, Accum const (&accum)[Count], block_tile const& tile, std::int64_t row,
                           bool lower, int valid, typename Problem::output* line) {
  using output = typename Problem::output;
  int first = static_cast<int>(threadIdx.x) % 4 * 2;
  arch::make_opaque(first);  // else an address for every column is kept from one row to the next
  std::int64_t const begin = tile.column + first;
  partial_for<Problem> partial{};
#pragma unroll
  for (int j = 0; j < Count / 4; ++j) {
    int const column = 8 * j + first;
    vector<output, 2> pair{};
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      if (All || column + e < valid) {
        Accum const of_row = lower ? accum[4 * j + 2 + e] : accum[4 * j + e];
        pair.element[e] = finish<false>(p, of_row, output{}, row, begin + (8 * j + e), tile.batch, partial);
      }
    }
    store_vector(line + column, pair);
  }
  flush_partial(p, partial);
}

/// Stores the upper or the lower 8 of a warp's 16 rows. What an epilogue does not see may be computed outside C, too.
template <class Policy, int Count, class Problem, class Accum>
__device__ void store_half_by_rows(Problem const& p, Accum const (&accum)[Count], block_tile const& tile, bool lower,
                                   int valid, warp_row_buffer<2 * Count>& lines) {
  using output = typename Problem::output;
  constexpr int at_once = sizeof(output) == 1 ? 8 : 16 / static_cast<int>(sizeof(output));  // rows
  constexpr bool plain = epilogue_facts_of<Problem>::is_plain;
  int thread = static_cast<int>(threadIdx.x);
  arch::make_opaque(thread);  // else what follows from it is kept in registers through the main loop
  int const lane = thread % 32;
  std::int64_t const top = tile.row + warpgroup_layout<Policy>::warp_row(thread) + (lower ? 8 : 0),
                     row = top + lane / 4;
#pragma unroll 1
  for (int first = 0; first < 8; first += at_once) {
    if (row < p.m && (at_once == 8 || lane / 4 / at_once * at_once == first)) {
      output* const line = lines.template line<output>(lane / 4 - first);
      if (plain || valid == 2 * Count) {
        finish_row<true>(p, accum, tile, row, lower, valid, line);
      } else {
        finish_row<plain>(p, accum, tile, row, lower, valid, line);
      }
    }
    __syncwarp();  // for the rows
    output* const c = p.c.data + tile.batch * p.c.batch_stride + (top + first) * p.c.ld + tile.column;
#pragma unroll 4
    for (int i = 0; i < at_once; ++i) {
      if (top + first + i < p.m) {
        store_line(c + i * p.c.ld, lines.template line<output>(i), valid);
      }
    }
    __syncwarp();  // for them to have been read
  }
}

/// Stores a warpgroup's accumulators as store_accum() does, where C is not read.
template <class Policy, int Count, class Problem, class Accum>
__device__ void store_accum_by_rows(Problem const& p, Accum const (&accum)[Count], block_tile const& tile,
                                    warp_row_buffer<2 * Count>& lines) {
  std::int64_t const left = p.n - tile.column;
  int const valid = left < 2 * Count ? static_cast<int>(left) : 2 * Count;
  if (valid <= 0) {
    return;  // the whole block
  }
#pragma unroll 1  // the code of one half is a fifth of the kernel's
  for (int half = 0; half < 2; ++half) {
    store_half_by_rows<Policy>(p, accum, tile, half > 0, valid, lines);
  }
}

}  // namespace gemm::detail
