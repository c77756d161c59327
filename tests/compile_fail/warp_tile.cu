// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_m must be a multiple of warp_m, block_n of warp_n, and block_k at least 1. Change block or warp.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_tile<block<128, 128, 16>, warp<64, 48>, thread<4, 4>>;
#else
using chosen_policy = warp_tile<block<128, 128, 16>, warp<64, 32>, thread<4, 4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
