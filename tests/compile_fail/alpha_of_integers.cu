// SPDX-License-Identifier: BSL-1.0
// expect: gemm: int8_t is multiplied by integers: alpha, beta and scaled() take no real number. Write the epilogue

#include <gemm/gemm.cuh>

using namespace gemm;

status call(std::int8_t const* a, std::int8_t const* b, std::int32_t* c) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = 0.5f});
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = 2}, scale(0.5f));
#endif
}
