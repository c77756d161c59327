// SPDX-License-Identifier: BSL-1.0
// expect: gemm: fp16x3_sliced cuts k into 1 to 8 slices, or 0 as many as fill the device.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = fp16x3_sliced<block<64, 64, 64>, stages<2>, 9>;
#else
using chosen_policy = fp16x3_sliced<block<64, 64, 64>, stages<2>, 8>;
#endif

status call(float const* a, float const* b, float* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
