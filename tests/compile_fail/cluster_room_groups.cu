// SPDX-License-Identifier: BSL-1.0
// expect: gemm: cluster_split_k needs shared memory for a tile of accumulators where the tiles of A and B were.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = cluster_split_k<sm90_simt_tma<block<128, 64, 32>, stages<5>, k_groups<4>>, 2>;
#else
using chosen_policy = cluster_split_k<sm90_simt_tma<block<128, 64, 32>, stages<6>, k_groups<4>>, 2>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
