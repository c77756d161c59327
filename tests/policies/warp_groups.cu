// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(test::cluster_3_of_64x64x32, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::sm90_simt_tma_128x16x32, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::groups_of_32x128x32, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::groups_8_of_64x64x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_simt_tma_64x64x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_simt_tma_128x64x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_simt_tma_128x32x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_simt_tma_16x64x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::groups_2_of_128x128x32, test::f32);
