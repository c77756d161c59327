// SPDX-License-Identifier: BSL-1.0
// expect: gemm: sm90_wgmma needs a block_m of 64, 128 or 192 (a warpgroup for each 64), a block_n
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma<block<128, 88, 64>, stages<3>>;
#else
using chosen_policy = sm90_wgmma<block<128, 64, 64>, stages<3>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
