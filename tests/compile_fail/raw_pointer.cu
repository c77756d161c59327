// SPDX-License-Identifier: BSL-1.0
// expect: gemm: B must be a view, row_major(pointer, rows, columns) or the like, no raw pointer.

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, double const* wide, int const* integers) {
  static_cast<void>(wide), static_cast<void>(integers);
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), b, row_major(c, 8, 8));
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
#endif
}
