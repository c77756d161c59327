// SPDX-License-Identifier: BSL-1.0
// expect: gemm: k_groups must divide the rows of a thread, of which each group adds an equal part. Change k_groups or
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_simt_tma<block<36, 128, 32>, stages<4>, k_groups<2>, warp<36, 64>>;
#else
using chosen_policy = sm90_simt_tma<block<40, 128, 32>, stages<4>, k_groups<2>, warp<40, 64>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
