// SPDX-License-Identifier: BSL-1.0
// expect: gemm: fp16x3 and bf16x6 need a block_m of 64 or 128 (a warpgroup for each 64), a block_n of 64, 128
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = fp16x3<block<128, 256, 64>, stages<3>>;
#else
using chosen_policy = fp16x3<block<128, 192, 64>, stages<3>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
