// SPDX-License-Identifier: BSL-1.0
// expect: gemm: thread_m and thread_n must be multiples of 16 bytes (4 floats, 2 doubles: fragments are read from
// shared memory in 128-bit accesses). Change thread.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = vectorized<block<64, 64, 8>, thread<2, 8>>;
#else
using chosen_policy = vectorized<block<64, 64, 8>, thread<4, 8>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
