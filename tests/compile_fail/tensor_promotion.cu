// SPDX-License-Identifier: BSL-1.0
// expect: gemm: promote<k> is for half, bf16 and fp8, and k must be a multiple of block_k, or 0. Change
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma<block<64, 64, 64>, stages<2>, cluster<1>, half_or_bf16, promote<96>>;
#else
using chosen_policy = sm90_wgmma<block<64, 64, 64>, stages<2>, cluster<1>, half_or_bf16, promote<128>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
