// SPDX-License-Identifier: BSL-1.0
// expect: gemm: int8_t is multiplied by integers: alpha, beta and scaled() take no real number. Write the epilogue

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
constexpr float factor = 0.5f;
#else
constexpr int factor = 3;
#endif

status call(std::int8_t const* a, std::int8_t const* b, std::int32_t* c) {
  return run<naive_32x4>(scaled(row_major(a, 8, 8), factor), row_major(b, 8, 8), row_major(c, 8, 8));
}
