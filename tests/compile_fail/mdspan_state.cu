// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an mdspan's accessor must be default, aligned, restrict or linalg::scaled's. Make the mdspan without it.

#include <cstddef>
#include <cuda/std/mdspan>

#include <gemm/gemm.cuh>

using namespace gemm;

/// Elements are where a member says, which no view knows.
struct spread : cuda::std::default_accessor<float> {
  std::size_t step = 2;
  reference access(float* p, std::size_t i) const { return p[i * step]; }
};

#ifdef FAIL
using accessor = spread;
#else
using accessor = cuda::std::default_accessor<float>;
#endif

status call(float* a, float const* b, float* c) {
  cuda::std::mdspan<float, cuda::std::dextents<int, 2>, cuda::std::layout_right, accessor> const m(a, 8, 8);
  return run<naive_32x4>(row_major(m), row_major(b, 8, 8), row_major(c, 8, 8));
}
