// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE(test::sm90_wgmma_s8_64x64x128_2, test::s8_s32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::split_2_of_tensor_s8_64x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::cluster_2_of_tensor_s8_16x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::sm90_wgmma_fp8_64x192x128_2x1, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_fp8_parts_64x256x128_2x1, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::block_scaled_32x32, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::sm80_mma_fp8_64x64x64_2, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_fp8_64x192x128_2x1, test::e4m3);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm90_wgmma_fp8_64x64x128_2, test::e4m3);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::cluster_2_of_tensor_fp8_16x64x128, test::e4m3);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(test::sm80_mma_fp8_64x64x64_2, test::e4m3);
GEMM_TEST_INSTANTIATE_ON_GPU(test::sm90_wgmma_s8_64x192x128_2x1, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::ping_pong_s8_64x64x128_2, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_128x256x128_2x1, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_ping_pong_s8_128x128x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_128x128x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_64x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_16x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_32x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_64x16x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_128x64x128_1x4, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_64x80x128, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_128x80x128_1x2, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_192x80x128_1x2, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_s8_192x128x128_1x2, test::s8_s32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::sm90_wgmma_fp8_64x64x128_2, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(test::cluster_2_of_tensor_fp8_16x64x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_128x256x128_2x1, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_128x192x128_2x1, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_64x80x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_96x64x128_1x2, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_96x128x128_1x2, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_160x128x128_1x2, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_128x80x128_1x2, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_128x160x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_128x128x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_64x64x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_16x64x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_32x64x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm90_wgmma_fp8_64x16x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_fp8_128x128x64, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_fp8_64x64x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_fp8_64x128x64, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_fp8_32x64x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_fp8_16x64x128, test::e4m3_f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::sm80_mma_fp8_16x128x128, test::e4m3_f32);
