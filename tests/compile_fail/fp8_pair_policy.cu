// SPDX-License-Identifier: BSL-1.0
// expect: gemm: outer_product copies elements of 4 or 8 bytes, float or double. Use pipelined for other types.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using multiplies = outer_product_32x128x16;
#else
using multiplies = pipelined_32x64x32;
#endif

status call(__nv_fp8_e4m3 const* a, __nv_fp8_e5m2 const* b, float* c) {
  return run<multiplies>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
