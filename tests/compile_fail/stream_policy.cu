// SPDX-License-Identifier: BSL-1.0
// expect: gemm: stream_k needs a sm90_simt_tma policy. Change the policy.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = stream_k<pipelined_16x64x32, 2>;
#else
using chosen_policy = stream_k<sm90_simt_tma_64x64x32, 2>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
