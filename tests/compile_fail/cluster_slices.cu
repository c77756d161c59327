// SPDX-License-Identifier: BSL-1.0
// expect: gemm: cluster_split_k takes 2 to 8 slices of k (the blocks of a cluster). Change their number.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = cluster_split_k<sm90_simt_tma_64x64x32, 9>;
#else
using chosen_policy = cluster_split_k<sm90_simt_tma_64x64x32, 8>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
