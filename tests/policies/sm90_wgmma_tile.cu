// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::sm90_wgmma_32x64x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::sm90_wgmma_16x64x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::sm90_wgmma_64x32x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::sm90_wgmma_64x16x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::cluster_3_of_tensor_128x64x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::cluster_8_of_tensor_64x64x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::split_2_of_tensor_32x128x64, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_64x32x64_2, test::bf16_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::cluster_2_of_tensor_16x64x64, test::bf16_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_128x224x64, test::f16);
