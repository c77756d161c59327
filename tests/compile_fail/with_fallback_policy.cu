// SPDX-License-Identifier: BSL-1.0
// expect: gemm: with_fallback needs an fp16x3 or bf16x6 policy, not equilibrated. Change the policy.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using policy_of = pipelined_16x64x32;
#else
using policy_of = fp16x3_128x128x64_2x1;
#endif

status call(float const* a, float const* b, float* c) {
  return run<with_fallback<policy_of>>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
