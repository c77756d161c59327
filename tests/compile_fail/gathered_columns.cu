// SPDX-License-Identifier: BSL-1.0
// expect: gemm: gathered and scattered rows are those of a gemm::row_major matrix.
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, int const* rows) {
#ifdef FAIL
  auto const from = col_major(a, 8, 8);
#else
  auto const from = row_major(a, 8, 8);
#endif
  return run<pipelined_32x64x32>(gathered(from, rows, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
