// SPDX-License-Identifier: BSL-1.0
// expect: gemm: a gathered A has scales of rows, of blocks of 1 x 128, or one for all of it.
#include <gemm/gemm.cuh>

using namespace gemm;

auto rows_of(__nv_fp8_e4m3 const* a, float const* scales, int const* rows) {
#ifdef FAIL
  constexpr int block = 128;
#else
  constexpr int block = 1;
#endif
  return gathered(scaled(row_major(a, 128, 128), per_block<block, 128>(row_major(scales, 128 / block, 1))), rows, 10);
}
