// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the second output is written, its elements must not be const. Make its view of a T*.

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, float* second) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {}, store(row_major(a, 8, 8)));
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {},
                         store(row_major(second, 8, 8)));
#endif
}
