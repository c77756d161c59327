// SPDX-License-Identifier: BSL-1.0
// expect: gemm: A and B must have one element type: float, tf32, double, __half, __nv_bfloat16, int8_t,

#include <gemm/gemm.cuh>

using namespace gemm;

status call(__half const* a, __nv_bfloat16 const* b, float* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(a, 8, 8), row_major(c, 8, 8));
#endif
}
