// SPDX-License-Identifier: BSL-1.0
// expect: gemm: stream_k needs a sm90_simt_tma policy. Change the policy.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = stream_k<sm90_wgmma_64x128x64, 2>;
#else
using chosen_policy = split_k<sm90_wgmma_64x128x64, 2>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
