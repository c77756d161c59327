// SPDX-License-Identifier: BSL-1.0
// expect: gemm: outer_product needs a block_m of 4, 8, 12, ... rows for each of warps, a block_n that is a multiple of
// 32, a column for each lane, and a block_k of 8, 16 or 32. Change block or warps.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = outer_product<block<16, 48, 8>, warps<4>>;
#else
using chosen_policy = outer_product<block<16, 64, 8>, warps<4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
