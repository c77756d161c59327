// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a block has 1 to 32 warps, (block_m / warp_m) * (block_n / warp_n). Change block or warp.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_mma<block<256, 128, 32>, warp<16, 32>>;
#else
using chosen_policy = warp_mma<block<64, 64, 32>, warp<32, 32>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
