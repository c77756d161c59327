// SPDX-License-Identifier: BSL-1.0
// expect: gemm: tune takes matrices as they are multiplied. Pass the matrix itself, not a prepacked one
#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

using namespace gemm;

#ifdef FAIL
using tuned = sm90_wgmma_tf32_64x64x32;
#else
using tuned = pipelined_16x64x32;
#endif

tune_result call(float const* a, float const* b, float* c) {
  return tune<tuned>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
