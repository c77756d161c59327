// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a cluster of sm90_wgmma_ping_pong has 1 or 2 blocks, of which each loads a multiple of 8
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma_ping_pong<block<128, 168, 64>, stages<3>, cluster<2>>;
#else
using chosen_policy = sm90_wgmma_ping_pong<block<128, 168, 64>, stages<3>, cluster<1, 2>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
