// SPDX-License-Identifier: BSL-1.0
// expect: gemm: C's elements must be double for double; float, __half or __nv_bfloat16 for all others, or int32_t or
// int8_t for int8_t, or of fp8 for the floating-point types but double.

#include <gemm/gemm.cuh>

using namespace gemm;

status call(__half const* a, __half const* b, std::int32_t* integers, __half* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(integers, 8, 8));
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
#endif
}
