// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_k must be at least 1. Change block.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = shared_tile<block<16, 16, 0>>;
#else
using chosen_policy = shared_tile<block<16, 16, 1>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
