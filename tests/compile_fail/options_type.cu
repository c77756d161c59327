// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the options are of the accumulator's type: gemm::options<double> for double
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using scalar = double;
#else
using scalar = float;
#endif

status call(float const* a, float const* b, float* c) {
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), options<scalar>{});
}
