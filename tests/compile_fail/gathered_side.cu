// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the rows of A are gathered and those of C scattered, none of B.
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, int const* rows) {
#ifdef FAIL
  return run<pipelined_32x64x32>(row_major(a, 8, 8), gathered(row_major(b, 8, 8), rows, 8), row_major(c, 8, 8));
#else
  return run<pipelined_32x64x32>(gathered(row_major(a, 8, 8), rows, 8), row_major(b, 8, 8), row_major(c, 8, 8));
#endif
}
