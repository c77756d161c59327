// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the smaller of block_m and block_n must be 1 to 16, and the other larger (a thread accumulates all of
// the smaller one). Change block.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = skinny<block<32, 32, 128>, warps<8>>;
#else
using chosen_policy = skinny<block<16, 32, 128>, warps<8>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
