// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an activation needs a floating-point value, but accumulators of int8 are integers. Put
// gemm::scale or

#include <gemm/gemm.cuh>

using namespace gemm;

status call(std::int8_t const* a, std::int8_t const* b, std::int8_t* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {}, gelu{});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {}, scale(0.5f) | gelu{});
#endif
}
