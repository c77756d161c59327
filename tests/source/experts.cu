// SPDX-License-Identifier: BSL-1.0
//! @file
//! The products of a layer of experts, by the largest tiles: what ptxas says of gates, and of gathered and scattered
//! rows, is checked.

#include <cstdint>

#include <gemm/gemm.cuh>

using bf16 = __nv_bfloat16;

/// Gathered, with a gate.
template <class Policy>
gemm::status up(bf16 const* a, bf16 const* b, bf16* c, std::int32_t const* index, std::int32_t const* ends) {
  return gemm::run<Policy>(gemm::ragged_rows(gemm::gathered(gemm::row_major(a, 8, 8), index, 8), ends, 2),
                           gemm::batched(gemm::col_major(b, 8, 16), 2),
                           gemm::ragged_rows(gemm::row_major(c, 8, 8), ends, 2), {}, gemm::gated<gemm::silu>{});
}

/// Scattered, with weights.
template <class Policy>
gemm::status down(bf16 const* a, bf16 const* b, bf16* c, std::int32_t const* index, std::int32_t const* ends,
                  float const* weights) {
  return gemm::run<Policy>(
      gemm::ragged_rows(gemm::row_major(a, 8, 8), ends, 2), gemm::batched(gemm::col_major(b, 8, 8), 2),
      gemm::ragged_rows(gemm::scattered(gemm::row_major(c, 8, 8), index, 8), ends, 2), {}, gemm::row_scale(weights));
}

using numbers = std::int32_t const*;
template gemm::status up<gemm::sm90_wgmma_128x256x64_2x1>(bf16 const*, bf16 const*, bf16*, numbers, numbers);
template gemm::status up<gemm::sm80_mma_128x256x32>(bf16 const*, bf16 const*, bf16*, numbers, numbers);
template gemm::status down<gemm::sm90_wgmma_ping_pong_128x128x64>(bf16 const*, bf16 const*, bf16*, numbers, numbers,
                                                                  float const*);
template gemm::status down<gemm::sm90_wgmma_128x256x64_2x1>(bf16 const*, bf16 const*, bf16*, numbers, numbers,
                                                            float const*);
