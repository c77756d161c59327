// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_scaled multiplies __nv_fp8_e4m3 and __nv_fp8_e5m2.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using input = float;
#else
using input = __nv_fp8_e4m3;
#endif

status call(input const* a, input const* b, float* c) {
  return run<block_scaled_32x32>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
