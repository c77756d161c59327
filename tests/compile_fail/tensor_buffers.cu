// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a tile that is stored transposed, or in several pieces by each warpgroup, needs buffers for C
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma<block<160, 64, 64>, stages<7>>;
#else
using chosen_policy = sm90_wgmma<block<160, 64, 64>, stages<6>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
