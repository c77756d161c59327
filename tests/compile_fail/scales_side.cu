// SPDX-License-Identifier: BSL-1.0
// expect: gemm: A has scales per_row, B per_column: those along k are no factors of accumulators. Exchange them.
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, float const* scales) {
#ifdef FAIL
  auto const right = scaled(row_major(b, 8, 8), per_row(scales));
#else
  auto const right = scaled(row_major(b, 8, 8), per_column(scales));
#endif
  return run<naive_32x4>(scaled(row_major(a, 8, 8), per_row(scales)), right, row_major(c, 8, 8));
}
