// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(test::warp_mma_f64_32x24x16, test::f64);
GEMM_TEST_INSTANTIATE(test::sm80_mma_f64_32x64x16_2, test::f64);
GEMM_TEST_INSTANTIATE(test::sm80_mma_f64_48x32x16_3, test::f64);
GEMM_TEST_INSTANTIATE(test::cluster_3_of_sm80_mma_f64_64x32x16, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::warp_mma_f64_64x64x8, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_f64_64x128x16, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_f64_128x128x16, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_f64_128x64x16, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_f64_64x64x16, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_f64_96x96x16, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_f64_64x32x16, test::f64);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_f64_32x32x16, test::f64);
