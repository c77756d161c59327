// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an mdspan is no view by itself. Write row_major(mdspan) or col_major(mdspan), of one with two extents.

#include <cuda/std/mdspan>

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
#ifdef FAIL
  cuda::std::mdspan<float, cuda::std::dextents<int, 3>> const z(c, 4, 8, 8);
#else
  auto const z = batched(row_major(c, 8, 8), 4);
#endif
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), z);
}
