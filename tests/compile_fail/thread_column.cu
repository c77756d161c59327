// SPDX-License-Identifier: BSL-1.0
// expect: gemm: thread_n must be 1 (a thread owns part of one column). Change thread.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = block_tile_1d<block<64, 64, 8>, thread<8, 2>>;
#else
using chosen_policy = block_tile_1d<block<64, 64, 8>, thread<8>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
