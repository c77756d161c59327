// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an mdspan is no view by itself. Write row_major(mdspan) or col_major(mdspan)

#include <cuda/std/mdspan>

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
  cuda::std::mdspan<float const, cuda::std::dextents<int, 2>> const x(a, 8, 8), y(b, 8, 8);
  cuda::std::mdspan<float, cuda::std::dextents<int, 2>> const z(c, 8, 8);
#ifdef FAIL
  return run<naive_32x4>(x, y, z);
#else
  return run<naive_32x4>(row_major(x), row_major(y), row_major(z));
#endif
}
