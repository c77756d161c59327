// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_m must be a multiple of thread_m, block_n of thread_n, and block_k at least 1. Change block or
// thread.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = block_tile_2d<block<128, 100, 8>, thread<8, 8>>;
#else
using chosen_policy = block_tile_2d<block<128, 128, 8>, thread<8, 8>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
