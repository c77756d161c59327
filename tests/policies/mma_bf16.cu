// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::warp_mma_32x48x32, test::bf16_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm80_mma_64x64x32_2, test::bf16_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::warp_mma_128x128x32, test::bf16_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_128x128x32, test::bf16_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_128x192x32, test::bf16_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_64x64x64, test::bf16_f32);
