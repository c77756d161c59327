// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a tile of sm90_wgmma_ping_pong has at most 22528 elements (176 accumulators in a thread's registers)
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_wgmma_ping_pong<block<128, 192, 64>, stages<3>>;
#else
using chosen_policy = sm90_wgmma_ping_pong<block<64, 192, 64>, stages<3>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
