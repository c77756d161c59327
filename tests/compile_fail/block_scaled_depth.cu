// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_scaled has a block_k of 128 (the k of a scale). Change block.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = block_scaled<block<32, 8, 64>>;
#else
using chosen_policy = block_scaled<block<32, 8, 128>>;
#endif

status call(__nv_fp8_e4m3 const* a, __nv_fp8_e4m3 const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
