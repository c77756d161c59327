// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an epilogue is the last argument. Write run(A, B, C, {.alpha = 2}, epilogue).

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), relu{}, options<float>{});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), options<float>{}, relu{});
#endif
}
