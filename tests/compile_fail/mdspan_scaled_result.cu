// SPDX-License-Identifier: BSL-1.0
// expect: gemm: C is written, its elements must not be const. Make C's view of a T*.

#include <cuda/std/linalg>
#include <cuda/std/mdspan>

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
  cuda::std::mdspan<float, cuda::std::dextents<int, 2>> const m(c, 8, 8);
#ifdef FAIL
  auto const result = row_major(cuda::std::linalg::scaled(2.0F, m));
#else
  auto const result = row_major(m);
#endif
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), result);
}
