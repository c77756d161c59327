// SPDX-License-Identifier: BSL-1.0
// expect: gemm: scales of blocks are applied by block_scaled and by sm90_wgmma of fp8 with promote<128>. Use
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = sm80_mma_fp8_64x64x128;
#else
using chosen_policy = block_scaled_32x32;
#endif

status call(__nv_fp8_e4m3 const* a, __nv_fp8_e4m3 const* b, float const* scales, float* c) {
  return run<chosen_policy>(scaled(row_major(a, 8, 8), per_block<1, 128>(row_major(scales, 8, 1))), row_major(b, 8, 8),
                            row_major(c, 8, 8));
}
