// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the tiles of A and B must fit into a block's shared memory (227 KiB). Make block, its depth or stages
// smaller.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = shared_tile<block<32, 32, 912>>;
#else
using chosen_policy = shared_tile<block<32, 32, 896>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
