// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_k * (the larger of block_m and block_n) must be 16 to 64 elements for each of the 32 to 1024
// threads. Change block or warps.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = skinny<block<2, 32, 64>, warps<8>>;
#else
using chosen_policy = skinny<block<2, 32, 128>, warps<8>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
