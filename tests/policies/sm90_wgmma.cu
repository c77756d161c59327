// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(test::sm90_wgmma_64x64x64_2, test::f16);
GEMM_TEST_INSTANTIATE(test::sm90_wgmma_64x128x64_2x1_3, test::f16);
GEMM_TEST_INSTANTIATE(test::split_3_of_tensor_64x64x64, test::f16);
GEMM_TEST_INSTANTIATE(test::split_2_of_tensor_64x64x64_2x2, test::f16);
GEMM_TEST_INSTANTIATE(test::sm90_wgmma_64x32x64_2, test::f16);
GEMM_TEST_INSTANTIATE(test::cluster_2_of_tensor_16x64x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::sm90_wgmma_64x64x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_128x192x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_64x64x64_4x1, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::promoted_16x64x64_2, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::split_2_of_promoted_64x64x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::sm90_wgmma_80x128x64_4x1, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_64x64x64_2, test::bf16_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_64x128x64_2x1_3, test::bf16_f32);
