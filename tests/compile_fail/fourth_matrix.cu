// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a fourth matrix is part of an epilogue. Write gemm::residual(matrix) to add it, or gemm::store(matrix)

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, float const* d) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), row_major(d, 8, 8));
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), residual(row_major(d, 8, 8)));
#endif
}
