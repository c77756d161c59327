// SPDX-License-Identifier: BSL-1.0
// expect: gemm: scales of blocks are for matrices of fp8.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using input = __half;
#else
using input = __nv_fp8_e4m3;
#endif

status call(input const* a, input const* b, float const* scales, float* c) {
  return run<automatic>(scaled(row_major(a, 8, 8), per_block<1, 128>(row_major(scales, 8, 1))), row_major(b, 8, 8),
                        row_major(c, 8, 8));
}
