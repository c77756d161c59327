// SPDX-License-Identifier: BSL-1.0
// expect: gemm: tune<Policies...> takes policies by name. For the candidates of run(A, B, C) name none.
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
