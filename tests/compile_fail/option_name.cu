// SPDX-License-Identifier: BSL-1.0
// expect: {.alhpa = 2}
// A compiler shows the braces, and that they do not fit the options, but not which name is wrong. With the type of the
// options before them it does: option_name_of_type.cu.

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.alhpa = 2});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = 2});
#endif
}
