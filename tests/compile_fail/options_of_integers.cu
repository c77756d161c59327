// SPDX-License-Identifier: BSL-1.0
// expect: of float for all others. A real factor of int8_t is the epilogue gemm::scale.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using scalar = float;
#else
using scalar = std::int32_t;
#endif

status call(std::int8_t const* a, std::int8_t const* b, std::int32_t* c) {
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), options<scalar>{});
}
