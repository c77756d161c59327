// SPDX-License-Identifier: BSL-1.0
// expect: gemm: sm90_wgmma_ping_pong multiplies __half and __nv_bfloat16, or with tf32 as its last
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using element = float;
#else
using element = __half;
#endif

status call(element const* a, element const* b, element* c) {
  return run<sm90_wgmma_ping_pong_128x128x64>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
