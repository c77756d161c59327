// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_tf32_64x64x32_2, test::tf32_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_tf32_64x128x32_2, test::tf32_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::ping_pong_tf32_64x64x32_2, test::tf32_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::split_3_of_tf32_64x128x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::cluster_2_of_tf32_16x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_ping_pong_tf32_128x128x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_128x256x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_128x96x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_128x192x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_64x128x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_128x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_64x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_16x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_tf32_64x16x32, test::tf32_f32);
