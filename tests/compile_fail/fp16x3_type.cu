// SPDX-License-Identifier: BSL-1.0
// expect: gemm: fp16x3 and bf16x6 split floats into terms. Use sm90_wgmma for other types, or pipelined.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using element = __half;
#else
using element = float;
#endif

status call(element const* a, element const* b, element* c) {
  return run<fp16x3_128x128x64_2x1>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
