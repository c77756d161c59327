// SPDX-License-Identifier: BSL-1.0
// expect: gemm: sm90_simt_tma needs a block_k of 32 (rows of 128 bytes, which TMA swizzles). Change block.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_simt_tma<block<128, 128, 16>, stages<3>>;
#else
using chosen_policy = sm90_simt_tma<block<128, 128, 32>, stages<3>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
