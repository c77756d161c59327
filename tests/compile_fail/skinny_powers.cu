// SPDX-License-Identifier: BSL-1.0
// expect: gemm: block_m, block_n, block_k and warps must be powers of two, the larger side at least 16 and block_k at
// least 32 (accumulators are added pairwise). Change block or warps.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = skinny<block<48, 1, 128>, warps<8>>;
#else
using chosen_policy = skinny<block<64, 1, 128>, warps<8>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
