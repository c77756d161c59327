// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an epilogue is called as value(value, row, column) or value(value, row, column, batch).

#include <gemm/gemm.cuh>

using namespace gemm;

struct halve {
  __host__ __device__ float operator()(float value) const { return value / 2; }
};

status call(float const* a, float const* b, float* c, double const* wide, int const* integers) {
  static_cast<void>(wide), static_cast<void>(integers);
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {}, halve{});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {}, relu{});
#endif
}
