// SPDX-License-Identifier: BSL-1.0
// expect: gemm: cluster_split_k needs a policy whose blocks add slices: sm90_simt_tma, sm90_wgmma or sm80_mma
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = cluster_split_k<pipelined_16x64x32, 2>;
#else
using chosen_policy = cluster_split_k<sm90_simt_tma_64x64x32, 2>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
