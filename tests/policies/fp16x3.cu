// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::fp16x3_64x64x64_3, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::fp16x3_128x64x64_2x1, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::fp16x3_sliced_64x64x64_3, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::bf16x6_64x64x64_4, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::bf16x6_mma_64x64x64_2, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::equilibrated_64x64x64_2, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::bf16x6_128x64x64_2x1, test::f32);
