// SPDX-License-Identifier: BSL-1.0
//! @file
//! What becomes of a thread's accumulators of a slice of k.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/shared_load.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Whether a policy's kernel leaves slices in the workspace as well as whole tiles in C, as each work says.
template <class Policy, class Problem>
inline constexpr bool supports_slices = slices_in_fragments<Policy, Problem>&& Policy::info.reductions.workspace;

/// Whether a policy's kernel stores a tile of C by itself, or with the other blocks of a cluster, as its work says.
template <class Policy>
inline constexpr bool supports_cluster_slices = Policy::info.on_tensor_cores() && Policy::info.reductions.cluster;

/// Where the slices of a work's product begin in the workspace. The number as for product_of().
template <class Parameter, class Index>
__device__ void* slices_of(scheduled<Parameter> const& params, Index) {
  return params.workspace;
}

/// A slice's number there.
template <class Parameter>
__device__ std::int64_t slice_number(scheduled<Parameter> const& params, work const& w) {
  return std::int64_t{w.slice} * params.order.batches + w.batch;
}

/// Stores a warpgroup's accumulators to the workspace, [slice][batch][tile]; tiles are the blocks', row by row.
template <class Policy, class Parameter, int Pieces, int N, class Accum>
__device__ void store_slice(scheduled<Parameter> const& params, work const& w, cluster_position<Policy> const& rank,
                            Accum const (&accum)[Pieces][N]) {
  int thread = static_cast<int>(threadIdx.x);
  arch::make_opaque(thread);  // else addresses are formed before the main loop, and kept
  std::int64_t const row = (slice_number(params, w) * params.order.tiles_m + w.tile_m) * Policy::cluster_m + rank.m;
  std::int64_t const tile = (row * params.order.tiles_n + w.tile_n) * Policy::cluster_n + rank.n;
  store_fragments(static_cast<Accum*>(slices_of(params, w.batch)) + tile * (Policy::block_m * Policy::block_n), thread,
                  accum);
}

/// Rows of a slice in the workspace, [slice][batch][row][column], each of whole 16 bytes, from a place in a tile on.
template <class T>
struct slice_rows {
  T* first;
  std::int64_t ld;
  int rows, columns;  // from there to the end, as far as a tile may need

  template <class Problem>
  __device__ slice_rows(Problem const& p, void* slices, std::int64_t number, block_tile const& tile, int row = 0,
                        int column = 0)
      : ld((p.n + widest<T> - 1) / widest<T> * widest<T>),
        rows(least_of_tile(p.m - tile.row - row)),
        columns(least_of_tile(p.n - tile.column - column)) {
    first = static_cast<T*>(slices) + (number * p.m + tile.row + row) * ld + tile.column + column;
  }

 private:
  __device__ static int least_of_tile(std::int64_t left) { return left < 1024 ? static_cast<int>(left) : 1024; }

 public:
  /// Stores 16 bytes, or one accumulator, if they are inside.
  __device__ void store(int row, int column, vector<T, widest<T>> const& piece) const {
    if (row < rows && column < columns) {
      store_vector(first + row * ld + column, piece);
    }
  }
  __device__ void store(int row, int column, T accum) const {
    if (row < rows && column < columns) {
      first[row * ld + column] = accum;
    }
  }
};

/// Stores a thread's accumulators of a slice, of which 16 bytes are neighbours: `to` begins at the first, and
/// accum[i][j] lies from there as Layout::row(i) and Layout::column(j) do.
template <class Layout, class T, int Rows, int Columns>
__device__ void store_slice_in_rows(slice_rows<T> const& to, T const (&accum)[Rows][Columns]) {
  constexpr int width = widest<T>;
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
#pragma unroll
    for (int j = 0; j < Columns; j += width) {
      vector<T, width> piece;
#pragma unroll
      for (int e = 0; e < width; ++e) {
        piece.element[e] = accum[i][j + e];
      }
      to.store(Layout::row(i) - Layout::row(0), Layout::column(j) - Layout::column(0), piece);
    }
  }
}

/// The same out of shared memory, by Threads threads of which this is number `thread`.
template <class Policy, int Threads, class T>
__device__ void store_shared_slice(slice_rows<T> const& to, T const* shared, int thread) {
  constexpr int width = widest<T>, pitch = shared_tile_pitch<Policy, T>, in_row = Policy::block_n / width;
#pragma unroll 2
  for (int piece = thread; piece < Policy::block_m * in_row; piece += Threads) {
    int const row = piece / in_row, column = piece % in_row * width;
    to.store(row, column, load_vector<width>(shared + row * pitch + column));
  }
}

}  // namespace gemm::detail
