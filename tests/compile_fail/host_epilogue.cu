// SPDX-License-Identifier: BSL-1.0
// expect: calling a __host__ function("plus_one::operator ()(float, long, long) const")

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
#define DEVICE_TOO
#else
#define DEVICE_TOO __host__ __device__
#endif

struct plus_one {
  DEVICE_TOO float operator()(float value, std::int64_t, std::int64_t) const { return value + 1; }
};

status call(float const* a, float const* b, float* c) {
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {}, relu{} | plus_one{});
}
