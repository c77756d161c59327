// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(test::warp_mma_32x48x32, test::f16);
GEMM_TEST_INSTANTIATE(test::sm80_mma_64x64x32_2, test::f16);
GEMM_TEST_INSTANTIATE(test::sm80_mma_64x192x32_3, test::f16);
GEMM_TEST_INSTANTIATE(test::split_3_of_sm80_mma_64x64x32, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::warp_mma_128x128x32, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_128x128x32, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_128x256x32, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_128x192x32, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_64x64x64, test::f16);
GEMM_TEST_INSTANTIATE(test::sm80_mma_16x64x64_2, test::f16);
GEMM_TEST_INSTANTIATE(test::sm80_mma_32x64x64_3, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_256x128x32, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_64x128x32, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_32x64x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_16x64x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_16x128x64, test::f16);
