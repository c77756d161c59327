// SPDX-License-Identifier: BSL-1.0
//! @file
//! The store of a warpgroup's accumulators row by row, from registers: of scattered rows of C, and where an epilogue
//! has a gate.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/gated_store.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/element.hpp>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Empty hooks.
template <class Policy, class Problem>
struct store_without_hooks {
  using block_type = wgmma_block<Policy, Problem>;
  template <class Order>
  __device__ void begin(block_type const&, Order const&, int) {}
  __device__ void overlap(block_type const&) {}
  __device__ void drain(block_type const&) {}
  __device__ void end(block_type const&) {}
};

/// Stores 32 columns of the product that lie in C, 16 of C, in its 16 rows as far as they do. The four lanes of a row
/// exchange elements, so that each has 4 adjacent ones.
template <class Layout, int Count, class Problem, class Accum>
__device__ void store_gated_columns(Problem const& p, Accum const (&accum)[Count], int first, block_tile const& tile,
                                    partial_for<Problem>& partial) {
  using output = typename Problem::output;
  int const lane = static_cast<int>(threadIdx.x) % 4;
#pragma unroll
  for (int i = 0; i < Layout::rows; ++i) {
    std::int64_t const row = tile.row + Layout::row(i), column = tile.column + first;
    bool const exists = row < p.m;
    output elements[4] = {};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (exists) {
        elements[j] =
            finish_pair(p, accum + first / 2 + 4 * j + 2 * i, row, column + 8 * j + 2 * lane, tile.batch, partial);
      }
    }
    transpose_elements(elements);
    if (exists) {
      vector<output, 4> values;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        values.element[j] = elements[j];
      }
      output* const c = p.c.data + tile.batch * p.c.batch_stride + row_in_c(p, row) * p.c.ld + column / 2 + 4 * lane;
      constexpr int width = widest_in<output, 4>;
#pragma unroll
      for (int j = 0; j < 4; j += width) {
        store_vector(c + j, load_vector<width>(values.element + j));
      }
    }
  }
}

/// Stores a warpgroup's accumulators, each two adjacent ones of a row as one element.
template <class Policy, int Count, class Problem, class Accum>
__device__ void store_gated_accum(Problem const& p, Accum const (&accum)[Count], block_tile const& tile) {
  using layout = warpgroup_layout<Policy>;
  if (tile.row + layout::warp_row() >= p.m) {
    return;  // the whole warp
  }
  int const lane = static_cast<int>(threadIdx.x) % 4;
  partial_for<Problem> partial{};
#pragma unroll
  for (int first = 0; first < 2 * Count; first += layout::block_n) {
    if (p.vector_c && first + layout::block_n <= 2 * Count && tile.column + first + layout::block_n <= p.n) {
      store_gated_columns<layout>(p, accum, first, tile, partial);
    } else {
#pragma unroll
      for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
        for (int j = 0; j < 4 && first + 8 * j < 2 * Count; ++j) {
          store_gated_row<2>(p, accum + first / 2 + 4 * j + 2 * i, tile.row + layout::row(i),
                             tile.column + first + 8 * j + 2 * lane, tile.batch);
        }
      }
    }
  }
  flush_partial(p, partial);
}

/// The store of a kernel with a warpgroup's accumulators in pieces of 64 rows, or in one.
template <class Policy, class Problem>
struct store_by_row : store_without_hooks<Policy, Problem> {
  using block_type = wgmma_block<Policy, Problem>;

  template <class Accum, int Pieces, int Count>
  __device__ void operator()(block_type const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[Pieces][Count]) {
    constexpr bool in_pieces = Policy::pieces > 1 || Policy::alternates;
    using rows = std::conditional_t<in_pieces, rows_of_warpgroup<Policy>, Policy>;
    auto const& p = block.problem(w);
    int const row = !in_pieces || Policy::splits_second ? 0 : block.part() * 64 * Pieces,
              column = in_pieces && Policy::splits_second ? block.part() * (Policy::block_n / 2) : 0;
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece) {
      block_tile const own{tile.row + row + piece * 64, tile.column + column, tile.batch};
      if constexpr (is_gated<Problem>) {
        store_gated_accum<rows>(p, accum[piece], own);
      } else {
        store_accum<rows>(p, accum[piece], own);
      }
    }
  }
};

}  // namespace gemm::detail
