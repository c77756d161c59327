// SPDX-License-Identifier: BSL-1.0
// expect: gemm: policies of mma.sync multiply __half and __nv_bfloat16, or what their last parameter names

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_mma<block<64, 64, 32>, warp<32, 32>, double>;
#else
using chosen_policy = warp_mma<block<64, 64, 32>, warp<32, 32> >;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
