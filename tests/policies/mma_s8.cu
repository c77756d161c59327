// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(test::warp_mma_s8_32x32x64, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::sm80_mma_s8_64x64x64_2, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::split_2_of_sm80_mma_s8_64x64x64, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::repacked_sm80_mma_s8_64x64x64, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::warp_mma_s8_128x128x32, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_s8_128x128x64, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_s8_128x256x64, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_s8_64x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::sm80_mma_s8_16x64x128_2, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::sm80_mma_s8_32x64x128_3, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_s8_64x128x64, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_s8_32x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_s8_16x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_s8_16x128x128, test::s8_s32);
