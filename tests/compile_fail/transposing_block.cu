// SPDX-License-Identifier: BSL-1.0
// expect: gemm: tiles that are transposed in shared memory have 128 rows and 128 or 256 columns. Change
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using tile = block<64, 128, 128>;
#else
using tile = block<128, 128, 128>;
#endif
struct chosen_policy : tensor_core<tile, stages<4>, cluster<1>, smem_transposed<std::int8_t>> {};

status call(std::int8_t const* a, std::int8_t const* b, std::int32_t* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
