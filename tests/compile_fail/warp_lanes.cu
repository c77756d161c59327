// SPDX-License-Identifier: BSL-1.0
// expect: gemm: warp_m x warp_n must be a whole number of times lanes_m * thread_m x lanes_n * thread_n for some
// lanes_m * lanes_n = 32. Change warp or thread.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = pipelined<block<128, 128, 16>, warp<64, 8>, thread<8, 8>, stages<3>>;
#else
using chosen_policy = pipelined<block<128, 128, 16>, warp<64, 64>, thread<8, 4>, stages<3>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
