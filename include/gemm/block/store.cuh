// SPDX-License-Identifier: BSL-1.0
//! @file
//! The end of every kernel: C = epilogue(alpha * accum + beta * C), written once.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/finish.cuh>
#include <gemm/block/gated_store.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/epilogue/accum_factors.hpp>

namespace gemm::detail {

/// Whether rows of C are whole pieces of N elements that wide accesses can reach.
template <int N, class Problem>
__device__ bool has_pieces(Problem const& p) {
  return p.vector_c && p.n % N == 0;
}

/// Stores N accumulators that are neighbours in a row of C, starting at (row, column); what lies outside C is left out.
///
/// Where C allows 16-byte accesses (`p.vector_c`), they are as wide as divides N; `column` must be a multiple of N. C
/// is read only if beta is not 0. InPieces: where has_pieces<N>(p) alone, so that half of the code is left out.
template <int N, bool InPieces = false, class Problem>
__device__ void store_row(Problem const& p, typename Problem::accum const* accumulators, std::int64_t row,
                          std::int64_t column, std::int64_t batch) {
  if constexpr (is_gated<Problem>) {
    store_gated_row<N>(p, accumulators, row, column, batch);
  } else {
    using output = typename Problem::output;
    constexpr int width = widest_in<output, N>;
    if (row >= p.m || (InPieces && column >= p.n)) {
      return;
    }
    bool const reads_c = p.beta != typename Problem::accum(0);
    output* const c = p.c.data + batch * p.c.batch_stride + row_in_c(p, row) * p.c.ld + column;
    partial_for<Problem> partial{};
    if (InPieces || (width > 1 && p.vector_c && column + N <= p.n)) {
#pragma unroll
      for (int i = 0; i < N; i += width) {
        vector<output, width> values{};
        if (reads_c) {
          values = load_vector<width>(c + i);
        }
        finish_all<width>(
            p, 0, batch, partial,
            [&](int j) {
              return accum_at<Problem>{accumulators[i + j], values.element[j], row, column + i + j};
            },
            [&](int j, output element) { values.element[j] = element; });
        store_vector(c + i, values);
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        if (column + i < p.n) {
          c[i] = finish(p, accumulators[i], reads_c ? c[i] : output{}, row, column + i, batch, partial);
        }
      }
    }
    flush_partial(p, partial);
  }
}

/// Stores all accumulators of a thread in pieces of Width elements, each of which is in C or, unless all are, outside;
/// C is not read.
template <class Layout, int Width, bool AllInC, class Problem>
__device__ void store_tile_in_pieces(Problem const& p,
                                     typename Problem::accum const (&accumulators)[Layout::rows][Layout::columns],
                                     block_tile const& tile) {
  using output = typename Problem::output;
  std::int64_t const row = tile.row + Layout::row(0), column = tile.column + Layout::column(0);
  std::int64_t const rows_left = p.m - row, columns_left = p.n - column;
  int const rows = rows_left < Layout::block_m ? static_cast<int>(rows_left) : Layout::block_m;
  int const columns = columns_left < Layout::block_n ? static_cast<int>(columns_left) : Layout::block_n;
  output* const c = p.c.data + tile.batch * p.c.batch_stride + row * p.c.ld + column;
  partial_for<Problem> partial{};
#pragma unroll
  for (int i = 0; i < Layout::rows; ++i) {
    int const down = Layout::row(i) - Layout::row(0);
#pragma unroll
    for (int j = 0; j < Layout::columns; j += Width) {
      int const right = Layout::column(j) - Layout::column(0);
      if (AllInC || (down < rows && right < columns)) {
        vector<output, Width> values;
        finish_all<Width, false>(
            p, 0, tile.batch, partial,
            [&](int e) {
              return accum_at<Problem>{accumulators[i][j + e], output{}, row + down, column + right + e};
            },
            [&](int e, output element) { values.element[e] = element; });
        store_vector(c + down * p.c.ld + right, values);
      }
    }
  }
  flush_partial(p, partial);
}

/// Stores all accumulators of a thread, N neighbours in a row at a time. accumulators[i][j] belongs at (Layout::row(i),
/// Layout::column(j)) of the block's tile, which is Layout::block_m x Layout::block_n.
///
/// What is the same for all of the block's threads is decided once (docs/tuning-notes.md, stores). InPieces: as in
/// store_row(). Bounded: tiles that are partly in C have a path of their own, for persistent blocks; with one tile a
/// block it made whole tiles slower.
template <class Layout, int N, bool InPieces = false, bool Bounded = false, class Problem>
__device__ void store_tile(Problem const& p,
                           typename Problem::accum const (&accumulators)[Layout::rows][Layout::columns],
                           block_tile const& tile) {
  using accum = typename Problem::accum;
  constexpr int width = widest_in<typename Problem::output, N>;
  if (p.beta == accum(0) && p.vector_c && tile.row + Layout::block_m <= p.m && tile.column + Layout::block_n <= p.n) {
    store_tile_in_pieces<Layout, width, true>(p, accumulators, tile);
  } else if (Bounded && p.beta == accum(0) && has_pieces<width>(p)) {
    store_tile_in_pieces<Layout, width, false>(p, accumulators, tile);
  } else {
#pragma unroll
    for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
      for (int j = 0; j < Layout::columns; j += N) {
        store_row<N, InPieces>(p, &accumulators[i][j], tile.row + static_cast<unsigned>(Layout::row(i)),
                               tile.column + static_cast<unsigned>(Layout::column(j)), tile.batch);
      }
    }
  }
}

/// Stores all accumulators of a thread in a warp layout; (row, column) is the thread's first element in the block's
/// tile. InPieces: as in store_row().
template <class Layout, int ThreadN, bool InPieces = false, class Problem>
__device__ void store_warp_tile(Problem const& p,
                                typename Problem::accum const (&accumulators)[Layout::rows][Layout::columns],
                                block_tile const& tile, int row, int column) {
#pragma unroll
  for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
    for (int j = 0; j < Layout::columns; j += ThreadN) {
      store_row<ThreadN, InPieces>(p, &accumulators[i][j], tile.row + row + Layout::row_offset(i),
                                   tile.column + column + Layout::column_offset(j), tile.batch);
    }
  }
}

}  // namespace gemm::detail
