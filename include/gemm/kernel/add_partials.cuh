// SPDX-License-Identifier: BSL-1.0
//! @file
//! The sum of the ranks' parts of a product, in the order of the ranks, and what becomes of it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arithmetic.hpp>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>

namespace gemm::detail {

inline constexpr int partials_threads = 256;

/// C, of which rows from `first` on are computed; and for each rank a matrix of those rows, `stride` elements apart.
/// That of `own_rank`, if there is one, lies elsewhere.
template <class Problem, class Partial>
struct partial_sums {
  Problem whole;
  Partial const *data, *own;
  std::int64_t ld, stride, first, rows;
  int ranks, own_rank;
};

/// A thread has 16 bytes of each part. Rows of the parts begin at multiples of 16 bytes.
template <class Problem, class Partial>
__global__ void __launch_bounds__(partials_threads)
    add_partials_kernel(__grid_constant__ partial_sums<Problem, Partial> const s) {
  using accum = typename Problem::accum;
  constexpr int width = widest<Partial>, at_once = 4;
  Problem const& p = s.whole;
  std::int64_t const in_row = (p.n + width - 1) / width, pieces = s.rows * in_row,
                     step = std::int64_t{gridDim.x} * partials_threads;
  for (std::int64_t piece = std::int64_t{blockIdx.x} * partials_threads + threadIdx.x; piece < pieces; piece += step) {
    std::int64_t const row = piece / in_row, column = piece % in_row * width;
    std::int64_t const offset = row * s.ld + column;
    accum total[width] = {};
    for (int rank = 0; rank < s.ranks; rank += at_once) {
      vector<Partial, width> part[at_once]{};
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        if (rank + i < s.ranks) {
          part[i] = load_vector<width>((rank + i == s.own_rank ? s.own : s.data + (rank + i) * s.stride) + offset);
        }
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
#pragma unroll
        for (int e = 0; e < width; ++e) {
          if (rank + i < s.ranks) {
            total[e] = multiply_add(accum(1), static_cast<accum>(widen(part[i].element[e])), total[e]);
          }
        }
      }
    }
    store_row<width>(p, total, s.first + row, column, 0);
  }
}

}  // namespace gemm::detail
