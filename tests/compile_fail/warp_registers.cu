// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the accumulators of a thread must fit into 128 registers (more spill). Make the thread's part of the
// tile smaller.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_tile<block<128, 128, 8>, warp<128, 64>, thread<8, 4>>;
#else
using chosen_policy = warp_tile<block<128, 128, 8>, warp<64, 64>, thread<8, 4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
