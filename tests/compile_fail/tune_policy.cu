// SPDX-License-Identifier: BSL-1.0
// expect: gemm: tune<Policies...> takes policies by name, but no fp16x3 or bf16x6. For the candidates of
#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

using namespace gemm;

#ifdef FAIL
using tuned = fp32_emulated;
#else
using tuned = pipelined_16x64x32;
#endif

tune_result call(float const* a, float const* b, float* c) {
  return tune<tuned>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
