// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an mdspan's accessor must be default, aligned, restrict or linalg::scaled's. Make the mdspan without it.

#include <cstddef>
#include <cuda/std/mdspan>

#include <gemm/gemm.cuh>

using namespace gemm;

/// Elements are values, as conjugated_accessor's are.
struct negated : cuda::std::default_accessor<float> {
  using reference = float;
  reference access(float const* p, std::size_t i) const { return -p[i]; }
};

#ifdef FAIL
using accessor = negated;
#else
using accessor = cuda::std::default_accessor<float>;
#endif

status call(float* a, float const* b, float* c) {
  cuda::std::mdspan<float, cuda::std::dextents<int, 2>, cuda::std::layout_right, accessor> const m(a, 8, 8);
  return run<naive_32x4>(row_major(m), row_major(b, 8, 8), row_major(c, 8, 8));
}
