// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a thread of sm90_simt_tma has 32 to 128 elements, in at most 16 rows and a multiple of 4 columns.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm90_simt_tma<block<64, 64, 32>, stages<6>, k_groups<4>, warp<32, 16>>;
#else
using chosen_policy = sm90_simt_tma<block<64, 64, 32>, stages<6>, k_groups<4>, warp<64, 64>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
