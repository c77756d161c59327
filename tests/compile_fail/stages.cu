// SPDX-License-Identifier: BSL-1.0
// expect: gemm: stages must be at least 2 (one tile is multiplied while another is copied).

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = pipelined<block<64, 64, 8>, warp<32, 32>, thread<4, 4>, stages<1>>;
#else
using chosen_policy = pipelined<block<64, 64, 8>, warp<32, 32>, thread<4, 4>, stages<2>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
