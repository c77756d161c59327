// SPDX-License-Identifier: BSL-1.0
//! @file
//! The reduction of the skinny rung: a thread's own products, then those of the threads that share its rows, as a tree.
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>

namespace gemm::detail {

/// accum += what a fragment contributes, in the order of k. `of_small` is the thread's chunk of the small operand.
template <class Layout, major Major, class T, class Accum>
__device__ void add_gemv_fragment(Accum (&accum)[Layout::few][Layout::lines], Accum const* of_small,
                                  packed<T, Layout::width> const (&gemv_fragment)[Layout::pieces]) {
  vector<T, Layout::width> piece[Layout::pieces];
#pragma unroll
  for (int i = 0; i < Layout::pieces; ++i) {
    piece[i] = unpacked<T, Layout::width>(gemv_fragment[i]);
  }
#pragma unroll
  for (int i = 0; i < Layout::few; ++i) {
    Accum line[Layout::chunk];
    load_fragment<Layout::chunk, 0>(line, of_small + i * Layout::chunk);
#pragma unroll
    for (int k = 0; k < Layout::chunk; ++k) {
#pragma unroll
      for (int j = 0; j < Layout::lines; ++j) {
        T const element = Major == major::mn ? piece[k].element[j] : piece[j].element[k];
        accum[i][j] = multiply_add<Accum>(line[k], widen(element), accum[i][j]);
      }
    }
  }
}

/// Adds the accumulators of the lanes that share the thread's rows, pairs of neighbours first. Of every pair each lane
/// then goes on with one half, as long as there are two. Returns which of them it ends with; they come first.
template <class Layout, class Accum>
__device__ int add_lanes(Accum (&accum)[Layout::few][Layout::lines]) {
  constexpr int lines = Layout::lines, all = Layout::few * lines;
  int first = 0;
#pragma unroll
  for (int distance = 1; distance < Layout::lanes_k; distance *= 2) {
    int const half = all / (2 * distance);  // 0 where one sum is left
    bool const upper = half > 0 && Layout::lane_k() / distance % 2 == 1;
    first += upper ? half : 0;
#pragma unroll
    for (int i = 0; i < all; ++i) {
      if (i < half || (i == 0 && half == 0)) {
        Accum const low = accum[i / lines][i % lines], high = accum[(i + half) / lines][(i + half) % lines];
        Accum const other = __shfl_xor_sync(0xffffffffu, upper ? low : high, distance * Layout::lane_step);
        accum[i / lines][i % lines] = multiply_add(Accum(1), upper ? high : low, other);
      }
    }
  }
  return first;
}

/// The sum of Count values that lie Stride apart: pairs of neighbours first.
template <int Count, int Stride, class Accum>
__device__ Accum add_pairwise(Accum const* values) {
  if constexpr (Count == 1) {
    return *values;
  } else {
    Accum const left = add_pairwise<Count / 2, Stride>(values);
    return multiply_add(Accum(1), left, add_pairwise<Count / 2, Stride>(values + Count / 2 * Stride));
  }
}

}  // namespace gemm::detail
