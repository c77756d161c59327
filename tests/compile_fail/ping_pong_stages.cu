// SPDX-License-Identifier: BSL-1.0
// expect: gemm: stages must be at least 2 (tiles are multiplied while others are copied)
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma_ping_pong<block<64, 64, 64>, stages<1>>;
#else
using chosen_policy = sm90_wgmma_ping_pong<block<64, 64, 64>, stages<2>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
