// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_m / thread_m * block_n / thread_n must be a multiple of 32 from 32 to 1024 (the block's threads,
// whole warps). Change block or thread.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = block_tile_2d<block<128, 128, 8>, thread<4, 2>>;
#else
using chosen_policy = block_tile_2d<block<128, 128, 8>, thread<4, 4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
