// SPDX-License-Identifier: BSL-1.0
// expect: gemm: warp_per_product copies elements of 4 or 8 bytes, float or double. Use pipelined for other types.

#include <cuda_fp16.h>

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using element = __half;
#else
using element = double;
#endif

status call(element const* a, element const* b, element* c) {
  return run<small_16x16x16>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
