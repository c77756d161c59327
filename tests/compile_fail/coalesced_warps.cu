// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_m * block_n must be a multiple of 32 from 32 to 1024 (one thread per element of C, whole warps).
// Change block.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = coalesced<block<5, 8>>;
#else
using chosen_policy = coalesced<block<4, 8>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
