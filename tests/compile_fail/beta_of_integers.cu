// SPDX-License-Identifier: BSL-1.0
// expect: gemm: factors of int8_t are of std::int32_t. Convert them to it.

#include <gemm/gemm.cuh>

using namespace gemm;

status call(std::int8_t const* a, std::int8_t const* b, std::int32_t* c, std::int64_t beta) {
#ifdef FAIL
  options<std::int32_t> const opts{.beta = beta};
#else
  options<std::int32_t> const opts{.beta = static_cast<std::int32_t>(beta)};
#endif
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), opts);
}
