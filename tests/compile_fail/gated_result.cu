// SPDX-License-Identifier: BSL-1.0
// expect: gemm: gathered and scattered rows and gemm::gated need a row-major C. Use gemm::row_major.
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
#ifdef FAIL
  auto const result = col_major(c, 8, 4);
#else
  auto const result = row_major(c, 8, 4);
#endif
  return run<pipelined_32x64x32>(row_major(a, 8, 8), row_major(b, 8, 8), result, {}, gated<silu>{});
}
