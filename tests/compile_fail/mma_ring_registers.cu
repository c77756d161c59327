// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the accumulators of a warp of sm80_mma must fit into 192 registers, 64 x 96

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm80_mma<block<64, 128, 32>, warp<64, 128>, stages<2>>;
#else
using chosen_policy = sm80_mma<block<64, 64, 32>, warp<32, 32>, stages<2>>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
