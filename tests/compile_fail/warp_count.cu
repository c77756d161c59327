// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a block has 1 to 32 warps, (block_m / warp_m) * (block_n / warp_n). Change block or warp.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_tile<block<256, 128, 8>, warp<32, 16>, thread<4, 4>>;
#else
using chosen_policy = warp_tile<block<128, 128, 8>, warp<32, 16>, thread<4, 4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
