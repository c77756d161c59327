// SPDX-License-Identifier: BSL-1.0
// expect: gemm: stages must be at least 2, and more than k_groups (tiles are multiplied while another
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_simt_tma<block<64, 64, 32>, stages<4>, k_groups<4>>;
#else
using chosen_policy = sm90_simt_tma<block<64, 64, 32>, stages<5>, k_groups<4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
