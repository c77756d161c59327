// SPDX-License-Identifier: BSL-1.0
//! @file
//! The arithmetic of a thread: sums of outer products in registers.
#pragma once

#include <cuda_runtime.h>

#include <gemm/element.hpp>

namespace gemm::detail {

/// accum += a b^T. Every element of C is summed in the order of k, by fused multiply-adds on a GPU.
///
/// Rows are walked to and fro: the element of b at each reversal is used twice in succession and read from the register
/// file once, which spares bank conflicts (docs/tuning-notes.md, warp_tile).
template <int M, int N, class T>
__device__ void add_outer_product(T (&accum)[M][N], T const (&a)[M], T const (&b)[N]) {
#pragma unroll
  for (int i = 0; i < M; ++i) {
#pragma unroll
    for (int step = 0; step < N; ++step) {
      int const j = i % 2 == 0 ? step : N - 1 - step;
      accum[i][j] = multiply_add(a[i], b[j], accum[i][j]);
    }
  }
}

/// sum += part, element by element; part becomes what the additions have lost, for the next part to begin with.
///
/// InPlace: `sum` is changed by what it was found to change by, not replaced: an instruction more, and no register.
/// That gives the same where the part is not above the sum; else what is lost for good is less than the part's last
/// digit.
template <bool InPlace, int N, class T>
__device__ void add_compensated(T (&part)[N], T (&sum)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    T const before = sum[i], total = before + part[i], added = total - before;
    sum[i] = InPlace ? before + added : total;
    part[i] -= added;
  }
}

/// Between two add_compensated(): lets parts begin with the accumulators that are not finite, for which 0 is left.
/// Added once more, those would become NaN, as what such an addition loses is none.
template <int N, class T>
__device__ void carry_nonfinite(T (&part)[N], T (&sum)[N]) {
  T any = T(0);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    any += part[i] * T(0);
  }
  if (any != T(0)) {
#pragma unroll
    for (int i = 0; i < N; ++i) {
      bool const lost = part[i] * T(0) != T(0);
      part[i] = lost ? sum[i] : part[i];
      sum[i] = lost ? T(0) : sum[i];
    }
  }
}

}  // namespace gemm::detail
