// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(gemm::skinny_1x32x512);
GEMM_TEST_INSTANTIATE_WIDE(gemm::skinny_32x1x512);
GEMM_TEST_INSTANTIATE_WIDE(test::skinny_8x32x32);
GEMM_TEST_INSTANTIATE_WIDE(test::skinny_64x4x32);
GEMM_TEST_INSTANTIATE_WIDE(gemm::small_16x16x16);
GEMM_TEST_INSTANTIATE_WIDE(gemm::small_32x32x32);
GEMM_TEST_INSTANTIATE_WIDE(test::small_32x16x16);
GEMM_TEST_INSTANTIATE_WIDE(test::outer_product_12x32x8);
GEMM_TEST_INSTANTIATE_UNDER_SANITIZERS(test::small_32x16x16, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::outer_product_32x128x16, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::small_48x48x48, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::skinny_1x128x64, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::skinny_128x1x64, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::skinny_4x128x32, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::skinny_8x64x64, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::skinny_64x8x64, test::f32);
GEMM_TEST_INSTANTIATE_WIDE(test::split_2_of_64x4x32);
