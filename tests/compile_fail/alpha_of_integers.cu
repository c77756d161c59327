// SPDX-License-Identifier: BSL-1.0
// expect: gemm: alpha and beta of int8_t are integers, as its accumulators are. Write the epilogue gemm::scale(0.5f)

#include <gemm/gemm.cuh>

using namespace gemm;

status call(std::int8_t const* a, std::int8_t const* b, std::int32_t* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = 0.5f});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = 2}, scale(0.5f));
#endif
}
