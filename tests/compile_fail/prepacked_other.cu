// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an operand is prepacked for another policy than the call's.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using policy_of = pipelined_16x64x32;
#else
using policy_of = fp16x3_128x128x64_2x1;
#endif

status call(float const* a, float const* b, float* c, workspace parts) {
  return run<policy_of>(row_major(a, 8, 8), prepacked_b(row_major(b, 8, 8), parts), row_major(c, 8, 8));
}
