// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_ON_GPU(test::promoted_64x64x64_2, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_promoted_128x128x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_promoted_128x192x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_promoted_128x64x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_128x64x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_128x256x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_64x128x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_64x160x64_4x1, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_160x256x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_224x128x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_192x96x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_96x192x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_64x192x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_64x96x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_64x80x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_96x64x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_160x128x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_192x128x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_128x128x64_2x2, test::f16);
