// SPDX-License-Identifier: BSL-1.0
// expect: gemm: A and B must have one element type: float, tf32, double, __half, __nv_bfloat16, int8_t,

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, double const* wide, int const* integers) {
  static_cast<void>(wide), static_cast<void>(integers);
#ifdef FAIL
  return run<naive_32x4>(row_major(integers, 8, 8), row_major(integers, 8, 8), row_major(c, 8, 8));
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
#endif
}
