// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the accumulators of a thread must fit into 128 registers (more spill). Make the thread's part of the
// tile smaller.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = block_tile_2d<block<128, 64, 8>, thread<8, 16>>;
#else
using chosen_policy = block_tile_2d<block<128, 64, 8>, thread<8, 8>>;
#endif

status call(double const* a, double const* b, double* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
