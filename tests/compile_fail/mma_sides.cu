// SPDX-License-Identifier: BSL-1.0
// expect: gemm: warp_m must be a multiple of 16, warp_n of 8, and block_k of 16, of tf32 and double 8, of int8 32

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_mma<block<64, 64, 24>, warp<32, 32>>;
#else
using chosen_policy = warp_mma<block<64, 64, 32>, warp<32, 32>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
