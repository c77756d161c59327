// SPDX-License-Identifier: BSL-1.0
//! @file
//! Zeroes the rows of C, or columns, that belong to no ragged product.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/ragged.hpp>

namespace gemm::detail {

inline constexpr int zero_rest_threads = 256;

/// C as words of its elements' size: row-major matrices, of whose rows, or OfColumns columns, ranges are used.
template <class Word>
struct rest_of_c {
  Word* data;
  std::int64_t rows, columns, ld, batch_stride;
  line_ranges ranges;
  int groups;
};

/// Blocks along x share a matrix's rest row by row; along y is a masked batch.
template <class Word, bool OfColumns>
__global__ void __launch_bounds__(zero_rest_threads) zero_rest_kernel(__grid_constant__ rest_of_c<Word> const rest) {
  arch::wait_for_dependency();  // for who writes the ranges
  std::int64_t const extent = OfColumns ? rest.columns : rest.rows;
  for (int matrix = static_cast<int>(blockIdx.y); matrix < (rest.ranges.counted ? rest.groups : 1);
       matrix += static_cast<int>(gridDim.y)) {
    std::int64_t const first = rest.ranges.of(rest.ranges.counted ? matrix : rest.groups - 1, extent).end;
    std::int64_t const first_row = OfColumns ? 0 : first, first_column = OfColumns ? first : 0;
    for (std::int64_t row = first_row + blockIdx.x; row < rest.rows; row += gridDim.x) {
      Word* const line = rest.data + matrix * rest.batch_stride + row * rest.ld;
      for (std::int64_t column = first_column + threadIdx.x; column < rest.columns; column += zero_rest_threads) {
        line[column] = Word{};
      }
    }
  }
}

}  // namespace gemm::detail
