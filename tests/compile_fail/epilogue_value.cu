// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an epilogue is called as value(value, row, column) or value(value, row, column, batch).

#include <gemm/gemm.cuh>

using namespace gemm;

struct measured {
  float value;
};

struct of_struct {
  __host__ __device__ float operator()(measured x, std::int64_t, std::int64_t) const { return x.value; }
};

struct of_float {
  __host__ __device__ float operator()(float x, std::int64_t, std::int64_t) const { return x / 2; }
};

status call(std::int8_t const* a, std::int8_t const* b, std::int8_t* c, float* floats) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {}, of_struct{});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(floats, 8, 8), {}, of_float{});
#endif
}
