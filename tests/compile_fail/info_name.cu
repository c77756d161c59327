// SPDX-License-Identifier: BSL-1.0
// expect: has no
#include <gemm/gemm.cuh>

using namespace gemm;

struct one_block : pipelined<block<64, 64, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
#ifdef FAIL
  static constexpr kernel_info info = pipelined::info.with(kernel_options{.min_block = 1});
#else
  static constexpr kernel_info info = pipelined::info.with(kernel_options{.min_blocks = 1});
#endif
};

status call(float const* a, float const* b, float* c) {
  return run<pipelined_64x64x16>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
