// SPDX-License-Identifier: BSL-1.0
//! @file
//! One call, for the forms of -arch and with and without NDEBUG.

#include <gemm/gemm.cuh>

gemm::status one_call(float const* a, float const* b, float* c) {
  return gemm::run<gemm::pipelined_64x64x16>(gemm::row_major(a, 8, 8), gemm::row_major(b, 8, 8),
                                             gemm::row_major(c, 8, 8), {.alpha = 2}, gemm::bias(b) | gemm::relu{});
}
