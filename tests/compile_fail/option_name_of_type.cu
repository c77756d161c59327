// SPDX-License-Identifier: BSL-1.0
// expect: gemm::options<float>

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), options<float>{.alhpa = 2});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), options<float>{.alpha = 2});
#endif
}
