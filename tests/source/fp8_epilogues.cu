// SPDX-License-Identifier: BSL-1.0
//! @file
//! The tiles of fp8 that leave the fewest registers, with the epilogues and scales that take the most: what ptxas says
//! of them is checked.

#include <gemm/gemm.cuh>

using input = __nv_fp8_e4m3;

template <class Policy, class C>
gemm::status epilogues(input const* a, input const* b, C* c, float* vectors, int which) {
  using gemm::col_major;
  using gemm::row_major;
  using gemm::scaled;
  float const* const values = vectors;
  auto const of_a = row_major(a, 8, 8);
  auto const of_b = col_major(b, 8, 8);
  auto const into = row_major(c, 8, 8);
  auto const by_row = scaled(of_a, gemm::per_row(values));
  auto const by_column = scaled(of_b, gemm::per_column(values));
  switch (which) {
    case 0:
      return gemm::run<Policy>(of_a, of_b, into);
    case 1:
      return gemm::run<Policy>(by_row, by_column, into, {}, gemm::bias(values) | gemm::gelu{} | gemm::amax(vectors));
    case 2:
      return gemm::run<Policy>(of_a, of_b, into, {}, gemm::bias(values) | gemm::residual(into) | gemm::relu{});
    default:
      return gemm::run<Policy>(scaled(of_a, gemm::per_block<1, 128>(col_major(values, 8, 1))),
                               scaled(of_b, gemm::per_block<128, 128>(col_major(values, 1, 1))), into);
  }
}

template gemm::status epilogues<gemm::sm90_wgmma_fp8_128x256x128_2x1>(input const*, input const*, __nv_bfloat16*,
                                                                      float*, int);
template gemm::status epilogues<gemm::sm90_wgmma_fp8_128x192x128_2x1>(input const*, input const*, input*, float*, int);
template gemm::status epilogues<gemm::sm90_wgmma_fp8_160x128x128_1x2>(input const*, input const*, __nv_bfloat16*,
                                                                      float*, int);
