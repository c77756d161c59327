// SPDX-License-Identifier: BSL-1.0
// expect: gemm: sm90_simt_tma needs block_m and block_n to be multiples of warp's, and 4 or 8 warps in its
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_simt_tma<block<64, 64, 32>, stages<6>, k_groups<2>>;
#else
using chosen_policy = sm90_simt_tma<block<64, 64, 32>, stages<6>, k_groups<4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
