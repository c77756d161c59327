// SPDX-License-Identifier: BSL-1.0
// expect: gemm: warp_per_product has 1 to 32 warps. Change warps.

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = warp_per_product<block<16, 16, 16>, warps<33>>;
#else
using chosen_policy = warp_per_product<block<16, 32, 16>, warps<4>>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
