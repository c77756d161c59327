// SPDX-License-Identifier: BSL-1.0
//! @file
//! A product in each of two translation units, with the same policy.
#pragma once

#include <gemm/gemm.cuh>

inline gemm::status multiply(float const* a, float const* b, float* c) {
  return gemm::run<gemm::shared_tile_32x32x32>(gemm::row_major(a, 2, 2), gemm::row_major(b, 2, 2),
                                               gemm::row_major(c, 2, 2));
}

gemm::status multiply_in_other_unit(float const* a, float const* b, float* c);
