// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(gemm::sm90_simt_tma_128x128x32, test::f32);
GEMM_TEST_INSTANTIATE(test::split_2_of_repacked_256x64x32, test::f32);
GEMM_TEST_INSTANTIATE(test::persistent_36x128x32, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::repacked_persistent_36x128x32, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::split_3_of_64x256x32, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::cluster_2_of_repacked_64x256x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::persistent_64x64x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::persistent_64x128x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::persistent_128x32x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::persistent_128x64x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::sm90_simt_tma_128x128x32_2, test::f32);
