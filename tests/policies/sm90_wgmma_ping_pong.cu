// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(test::ping_pong_64x64x64_2, test::f16);
GEMM_TEST_INSTANTIATE(test::ping_pong_64x64x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE(test::ping_pong_168x64x64_2, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::ping_pong_64x128x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::ping_pong_64x64x64_2, test::bf16_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_ping_pong_128x128x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_ping_pong_128x128x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_ping_pong_128x176x64, test::f16);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_ping_pong_128x176x64, test::bf16_f32);
