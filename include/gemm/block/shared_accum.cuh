// SPDX-License-Identifier: BSL-1.0
//! @file
//! A block's tile of accumulators in shared memory: for others to add to it, or to be stored along the rows of C.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// A row of a block's accumulators in shared memory: 16 bytes longer than the tile's, so that threads with different
/// rows use different banks.
template <class Policy, class Accum>
inline constexpr int shared_tile_pitch = Policy::block_n + widest<Accum>;

template <class Policy, class Accum>
inline constexpr std::size_t shared_tile_bytes = std::size_t{Policy::block_m} * shared_tile_pitch<Policy, Accum> *
                                                 sizeof(Accum);

/// Puts a thread's accumulators into shared memory: accum[i][j] belongs at (Layout::row(i), Layout::column(j)) of the
/// block's tile, runs of 16 bytes are neighbours.
template <class Layout, class Accum>
__device__ void share_accum(Accum const (&accumulators)[Layout::rows][Layout::columns], Accum* shared) {
  constexpr int width = widest<Accum>, pitch = shared_tile_pitch<Layout, Accum>;
#pragma unroll
  for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
    for (int j = 0; j < Layout::columns; j += width) {
      vector<Accum, width> piece;
#pragma unroll
      for (int e = 0; e < width; ++e) {
        piece.element[e] = accumulators[i][j + e];
      }
      store_vector(shared + Layout::row(i) * pitch + Layout::column(j), piece);
    }
  }
}

/// Stores what all threads of a block have shared: neighbouring lanes neighbouring elements, which need not be aligned.
/// By Threads threads; `thread` is their number.
///
/// Where C is not read, some rows at a time: their accumulators are in flight from shared memory together.
template <class Policy, int Threads, class Problem>
__device__ void store_shared_tile(Problem const& p, typename Problem::accum const* shared, int thread,
                                  block_tile const& tile) {
  using accum = typename Problem::accum;
  using output = typename Problem::output;
  constexpr int pitch = shared_tile_pitch<Policy, accum>, warps = Threads / 32, rows_each = Policy::block_m / warps;
  constexpr int steps = (Policy::block_n + 31) / 32, together = rows_each % 4 == 0 ? 4 : 1;
  std::int64_t const rows_left = p.m - tile.row, columns_left = p.n - tile.column;
  int const rows = rows_left < Policy::block_m ? static_cast<int>(rows_left) : Policy::block_m;
  int const columns = columns_left < Policy::block_n ? static_cast<int>(columns_left) : Policy::block_n;
  int const lane = thread % 32;
  if (Policy::block_m % warps != 0 || p.beta != accum(0)) {
    for (int row = thread / 32; row < rows; row += warps) {
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        if (32 * step + lane < columns) {
          store_row<1>(p, shared + row * pitch + 32 * step + lane, tile.row + row, tile.column + 32 * step + lane,
                       tile.batch);
        }
      }
    }
    return;
  }
  output* c = p.c.data + tile.batch * p.c.batch_stride + (tile.row + thread / 32) * p.c.ld + tile.column + lane;
  accum const* from = shared + thread / 32 * pitch + lane;
  partial_for<Problem> partial{};
#pragma unroll 1
  for (int row = thread / 32; row < rows; row += warps * together, from += warps * together * pitch) {
    accum accumulators[together][steps];
#pragma unroll
    for (int t = 0; t < together; ++t) {
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        bool const has = Policy::block_n % 32 == 0 || 32 * step + lane < Policy::block_n;
        accumulators[t][step] = has ? from[t * warps * pitch + 32 * step] : accum{};
      }
    }
#pragma unroll
    for (int t = 0; t < together; ++t, c += warps * p.c.ld) {
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        if (row + t * warps < rows && 32 * step + lane < columns) {
          c[32 * step] = finish<false>(p, accumulators[t][step], output{}, tile.row + row + t * warps,
                                       tile.column + 32 * step + lane, tile.batch, partial);
        }
      }
    }
  }
  flush_partial(p, partial);
}

/// The same 16 bytes of accumulators at a time, as few instructions as may be where rows of C are aligned.
template <class Policy, int Threads, class Problem>
__device__ void store_shared_pieces(Problem const& p, typename Problem::accum const* shared, int thread,
                                    block_tile const& tile) {
  using accum = typename Problem::accum;
  constexpr int width = widest<accum>, pitch = shared_tile_pitch<Policy, accum>, in_row = Policy::block_n / width;
  std::int64_t const rows_left = p.m - tile.row;
  int const pieces = (rows_left < Policy::block_m ? static_cast<int>(rows_left) : Policy::block_m) * in_row;
#pragma unroll 2
  for (int piece = thread; piece < pieces; piece += Threads) {
    auto const accumulators = load_vector<width>(shared + piece / in_row * pitch + piece % in_row * width);
    store_row<width>(p, accumulators.element, tile.row + piece / in_row, tile.column + piece % in_row * width,
                     tile.batch);
  }
}

}  // namespace gemm::detail
