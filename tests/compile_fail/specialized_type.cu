// SPDX-License-Identifier: BSL-1.0
// expect: gemm: sm90_simt_tma multiplies float so far. Use pipelined for other types.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using element = double;
#else
using element = float;
#endif

status call(element const* a, element const* b, element* c) {
  return run<sm90_simt_tma_64x64x32>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
