// SPDX-License-Identifier: BSL-1.0
// expect: gemm: scales in device memory are doubles for a matrix of doubles, floats for all others.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using scale_type = double;
#else
using scale_type = float;
#endif

status call(__half const* a, __half const* b, __half* c, scale_type const* scales) {
  return run<naive_32x4>(scaled(row_major(a, 8, 8), per_row(scales)), row_major(b, 8, 8), row_major(c, 8, 8));
}
