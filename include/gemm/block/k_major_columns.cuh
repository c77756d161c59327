// SPDX-License-Identifier: BSL-1.0
//! @file
//! A consumer's columns out of a k-major tile of B in TMA's swizzle: a row of 128 bytes for each column, in pieces of
//! 16 bytes, four k.
//!
//! A thread has four neighbouring columns 4 * tx + e, whose rows use the same banks as those of the thread two further
//! on. So threads take the four in different orders: column j ^ (tx / 2 % 4) is j-th, and eight lanes that read
//! together read eight different rows of the swizzle. The accumulators are put in order at the end.
//!
//! Nothing is transposed, but four k of all columns are in registers twice, so a thread has registers for 8 columns
//! only. Other orders of reads were slower (docs/tuning-notes.md, k-major columns).
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/shared_load.cuh>

namespace gemm::detail {

/// In which order a thread takes four neighbouring columns.
__device__ inline int twist_of_columns(int tx) { return tx / 2 % 4; }

/// Offset of the column that a thread takes first from the tile's begin; its first one is a multiple of 4.
__device__ inline int offset_of_columns(int column, int tx) {
  int const first = column + twist_of_columns(tx);
  return first * 128 + first % 8 * 16;
}

/// Reads four k of columns Begin to End - 1: `from` is where they are of the one that is taken first. LanesN: lanes
/// with columns of their own, so that a thread's next four are 4 * LanesN further.
template <int Begin, int End, int LanesN, int Columns>
__device__ void load_columns(float (&b)[Columns][4], arch::shared_address from) {
#pragma unroll
  for (int j = Begin; j < End; ++j) {
    arch::load_shared(b[j], (from ^ arch::offset(j % 4 * (128 + 16))) + arch::offset(j / 4 * (4 * LanesN * 128)));
  }
}

/// Puts the accumulators of a thread's columns in order.
template <int Rows, int Columns>
__device__ void straighten_columns(float (&accum)[Rows][Columns], int tx) {
  bool const odd = twist_of_columns(tx) % 2 != 0, crossed = twist_of_columns(tx) / 2 != 0;
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
#pragma unroll
    for (int j = 0; j < Columns; j += 4) {
      float const paired[] = {odd ? accum[i][j + 1] : accum[i][j], odd ? accum[i][j] : accum[i][j + 1],
                              odd ? accum[i][j + 3] : accum[i][j + 2], odd ? accum[i][j + 2] : accum[i][j + 3]};
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        accum[i][j + e] = crossed ? paired[(e + 2) % 4] : paired[e];
      }
    }
  }
}

}  // namespace gemm::detail
