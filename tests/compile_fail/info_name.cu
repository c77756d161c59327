// SPDX-License-Identifier: BSL-1.0
// expect: has no
#include <gemm/gemm.cuh>

using namespace gemm;

struct narrow_copies : pipelined<block<64, 64, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
#ifdef FAIL
  static constexpr kernel_info info = pipelined::info.with(kernel_options{.narrow_on_sm90 = true});
#else
  static constexpr kernel_info info = pipelined::info.with(kernel_options{.narrow_on_sm90a = true});
#endif
};

status call(float const* a, float const* b, float* c) {
  return run<pipelined_64x64x16>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
