// SPDX-License-Identifier: BSL-1.0
// expect: gemm: alpha and beta are options. Write run(A, B, C, {.alpha = 2, .beta = 1}).

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, float alpha) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), alpha);
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = alpha});
#endif
}
