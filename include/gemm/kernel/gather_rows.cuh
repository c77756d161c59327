// SPDX-License-Identifier: BSL-1.0
//! @file
//! Copies rows by an index, one after the other, for kernels that load by TMA.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/ragged.hpp>

namespace gemm {

namespace detail {

inline constexpr int gather_threads = 256;

/// The ranges of products that the rows belong to, if they have any: behind the last end there is no index.
struct rows_of_products {
  line_ranges ranges;
  int count;

  __device__ std::int64_t end(std::int64_t rows) const { return count == 0 ? rows : ranges.of(count - 1, rows).end; }
};

}  // namespace detail

/// Row i of the copy is row index[i]. Not for users; not in detail, for short symbols.
template <class Word>
struct gathered_rows {
  Word const* from;
  Word* to;
  std::int32_t const* index;
  std::int64_t ld_from, ld_to, rows, length;
  detail::rows_of_products products;
};

namespace detail {

/// A warp copies a row at a time, in pieces of 16 bytes where rows allow it; the copy's always do.
template <class Word>
__global__ void __launch_bounds__(gather_threads)
    gather_rows_kernel(__grid_constant__ gathered_rows<Word> const params) {
  constexpr int width = widest<Word>, warps = gather_threads / 32;
  arch::wait_for_dependency();  // for who writes the rows and their index, and who reads the last copies
  arch::launch_dependents();
  int const warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  bool const in_pieces =
      (reinterpret_cast<std::uintptr_t>(params.from) | static_cast<std::uintptr_t>(params.ld_from) * sizeof(Word)) %
          16 ==
      0;
  std::int64_t const rows = params.products.end(params.rows), whole = in_pieces ? params.length / width * width : 0;
  for (std::int64_t row = std::int64_t{blockIdx.x} * warps + warp; row < rows; row += std::int64_t{gridDim.x} * warps) {
    Word const* const from = params.from + params.index[row] * params.ld_from;
    Word* const to = params.to + row * params.ld_to;
#pragma unroll 4
    for (std::int64_t i = lane * width; i < whole; i += 32 * width) {
      store_vector(to + i, load_vector<width>(from + i));
    }
    for (std::int64_t i = whole + lane; i < params.length; i += 32) {
      to[i] = from[i];
    }
  }
}

}  // namespace detail

}  // namespace gemm
