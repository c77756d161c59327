// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stores of accumulators of which each two adjacent ones of a row make one element of C.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/finish.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Whether a problem's C must be stored row by row: where its rows are, or what its elements are, follows from no
/// stride.
template <class Problem>
inline constexpr bool stores_by_row = scattering<Problem> || is_gated<Problem>;

/// store_row() where the epilogue has a gate: half as many elements of C. N and `column` are even.
template <int N, class Problem>
__device__ void store_gated_row(Problem const& p, typename Problem::accum const* accumulators, std::int64_t row,
                                std::int64_t column, std::int64_t batch) {
  static_assert(N % 2 == 0);
  using output = typename Problem::output;
  constexpr int width = widest_in<output, N / 2>;
  if (row >= p.m) {
    return;
  }
  output* const c = p.c.data + batch * p.c.batch_stride + row_in_c(p, row) * p.c.ld + column / 2;
  partial_for<Problem> partial{};
  if (width > 1 && p.vector_c && column + N <= p.n) {
#pragma unroll
    for (int i = 0; i < N / 2; i += width) {
      vector<output, width> values;
#pragma unroll
      for (int j = 0; j < width; ++j) {
        values.element[j] = finish_pair(p, accumulators + 2 * (i + j), row, column + 2 * (i + j), batch, partial);
      }
      store_vector(c + i, values);
    }
  } else {
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
      if (column + 2 * i < p.n) {
        c[i] = finish_pair(p, accumulators + 2 * i, row, column + 2 * i, batch, partial);
      }
    }
  }
  flush_partial(p, partial);
}

}  // namespace gemm::detail
