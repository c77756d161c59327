// SPDX-License-Identifier: BSL-1.0
// expect: gemm: promote<k, parts> is for fp8, k must be block_k, and each part of a warpgroup's columns a multiple of
// 32
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma<block<64, 64, 128>, stages<2>, cluster<1>, fp8, promote<128, 4>>;
#else
using chosen_policy = sm90_wgmma<block<64, 64, 128>, stages<2>, cluster<1>, fp8, promote<128, 2>>;
#endif

status call(__nv_fp8_e4m3 const* a, __nv_fp8_e4m3 const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), col_major(b, 8, 8), row_major(c, 8, 8));
}
