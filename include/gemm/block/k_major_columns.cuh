// SPDX-License-Identifier: BSL-1.0
//! @file
//! A consumer's columns out of a k-major tile of B as TMA leaves it: a line of 128 bytes for each column, its 16-byte
//! pieces, four k, swizzled.
//!
//! A thread has four neighbouring columns 4 * tx + e, whose lines lie at the same place in the banks as those of the
//! thread two further on. So threads take the four in different orders: what is j-th is column j ^ (tx / 2 % 4), and
//! eight lanes that read at the same time read from eight different lines of the swizzle. Sums are put in order at the
//! end. Nothing is turned, but four k of all columns are in registers twice: a thread has room for 8 columns. (To turn
//! the tiles instead, H200, float nt: 32x4096x4096 in 16 x 128 tiles 41.9 us, 34.1 so; 512^3 in 32 x 64 12.6, 10.4. To
//! read the next four k two at a time, as soon as there is room: 16x4096x4096 as fast, 128x4096x4096 in 128 x 16 tiles
//! 125 us, 114 so.)
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/shared_load.cuh>

namespace gemm::detail {

/// In which order a thread takes four neighbouring columns.
__device__ inline int twist_of_columns(int tx) { return tx / 2 % 4; }

/// Where the line of the column is that a thread takes first, from the tile's begin; its first one is a multiple of 4.
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

/// Puts the sums of a thread's columns in order.
template <int Rows, int Columns>
__device__ void straighten_columns(float (&sum)[Rows][Columns], int tx) {
  bool const odd = twist_of_columns(tx) % 2 != 0, crossed = twist_of_columns(tx) / 2 != 0;
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
#pragma unroll
    for (int j = 0; j < Columns; j += 4) {
      float const paired[] = {odd ? sum[i][j + 1] : sum[i][j], odd ? sum[i][j] : sum[i][j + 1],
                              odd ? sum[i][j + 3] : sum[i][j + 2], odd ? sum[i][j + 2] : sum[i][j + 3]};
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        sum[i][j + e] = crossed ? paired[(e + 2) % 4] : paired[e];
      }
    }
  }
}

}  // namespace gemm::detail
