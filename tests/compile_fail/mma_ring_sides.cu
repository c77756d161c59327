// SPDX-License-Identifier: BSL-1.0
// expect: gemm: warp_m and warp_n of sm80_mma must be multiples of 32 (of double 16), block_k 64 or 128 bytes

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm80_mma<block<64, 64, 16>, warp<32, 32>, stages<2>>;
#else
using chosen_policy = sm80_mma<block<64, 64, 32>, warp<32, 32>, stages<2>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
