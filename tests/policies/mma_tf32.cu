// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::warp_mma_tf32_32x32x8, test::tf32_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm80_mma_tf32_64x64x16_3, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::warp_mma_tf32_128x128x16, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_128x128x16, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_128x256x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_64x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm80_mma_tf32_16x64x32_2, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_128x256x16, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_64x128x16, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_32x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_16x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_tf32_16x128x32, test::tf32_f32);
