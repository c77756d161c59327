// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a cluster of fp16x3 or bf16x6 has 1 or 2 blocks. Change cluster.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = fp16x3<block<64, 64, 64>, stages<2>, cluster<2, 2>>;
#else
using chosen_policy = fp16x3<block<64, 64, 64>, stages<2>, cluster<1, 2>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
