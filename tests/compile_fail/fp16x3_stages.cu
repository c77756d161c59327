// SPDX-License-Identifier: BSL-1.0
// expect: stages must be at least 2 for fp16x3, 3 for bf16x6.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = fp16x3<block<64, 64, 64>, stages<1>>;
#else
using chosen_policy = fp16x3<block<64, 64, 64>, stages<2>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
