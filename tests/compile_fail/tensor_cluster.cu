// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a cluster of sm90_wgmma has 1, 2 or 4 blocks, of which each loads a multiple of 8 rows
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma<block<64, 128, 64>, stages<2>, cluster<4, 2>>;
#else
using chosen_policy = sm90_wgmma<block<64, 128, 64>, stages<2>, cluster<2>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
