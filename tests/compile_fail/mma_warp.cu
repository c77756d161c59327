// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_m must be a multiple of warp_m, and block_n of warp_n. Change block or warp.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_mma<block<64, 64, 32>, warp<48, 32>>;
#else
using chosen_policy = warp_mma<block<64, 64, 32>, warp<32, 32>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
