// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a block_m of 192 leaves sm90_wgmma registers for a block_n of 208 at most. Change
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma<block<192, 256, 64>, stages<2>>;
#else
using chosen_policy = sm90_wgmma<block<192, 192, 64>, stages<2>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
