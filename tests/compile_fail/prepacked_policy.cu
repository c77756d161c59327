// SPDX-License-Identifier: BSL-1.0
// expect: gemm: only fp32_emulated and fp16x3 or bf16x6 policies, not equilibrated, multiply prepacked operands.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using policy_of = automatic;
#else
using policy_of = fp32_emulated;
#endif

status call(float const* b, workspace parts) { return prepack(prepacked_b<policy_of>(row_major(b, 8, 8), parts)); }
