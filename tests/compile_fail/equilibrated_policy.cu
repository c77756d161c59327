// SPDX-License-Identifier: BSL-1.0
// expect: gemm: equilibrated needs an fp16x3 or bf16x6 policy, not with_fallback. Change the policy.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using policy_of = with_fallback<fp16x3_128x128x64_2x1>;
#else
using policy_of = fp16x3_128x128x64_2x1;
#endif

status call(float const* a, float const* b, float* c) {
  return run<equilibrated<policy_of>>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
