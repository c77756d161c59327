// SPDX-License-Identifier: BSL-1.0
// expect: gemm: grouped products need automatic, sm80_mma or pipelined, not split, or a policy of sm90_wgmma
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
constexpr order of_b = order::row;
#else
constexpr order of_b = order::column;
#endif
using view_a = matrix<std::int8_t const, order::row>;
using view_b = matrix<std::int8_t const, of_b>;
using view_c = matrix<std::int32_t, order::row>;

status call(view_a const* a, view_b const* b, view_c const* c) {
  return run<sm90_wgmma_s8_128x256x128_2x1>(grouped(view_a{nullptr, 8, 8, 8}, a, 2),
                                            grouped(view_b{nullptr, 8, 8, 8}, b, 2),
                                            grouped(view_c{nullptr, 8, 8, 8}, c, 2));
}
