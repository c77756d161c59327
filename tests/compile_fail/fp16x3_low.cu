// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the low parts of fp16x3 are scaled by 2^0 or 2^11. Change low_scale.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = fp16x3<block<64, 64, 64>, stages<2>, cluster<1>, low_scale<5>>;
#else
using chosen_policy = fp16x3<block<64, 64, 64>, stages<2>, cluster<1>, low_scale<11>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
