// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the workspace is one of the options. Write run(A, B, C, {.workspace = memory}).

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, workspace memory) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), memory);
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.workspace = memory});
#endif
}
