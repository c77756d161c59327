// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

#if defined(GEMM_TEST_SANITIZERS)
#define GEMM_TEST_INSTANTIATE_HALF(policy) GEMM_TEST_INSTANTIATE(policy, test::f16)
#else
#define GEMM_TEST_INSTANTIATE_HALF(policy)  \
  GEMM_TEST_INSTANTIATE(policy, test::f16); \
  GEMM_TEST_INSTANTIATE(policy, test::bf16_f32)
#endif

GEMM_TEST_INSTANTIATE_HALF(test::warp_mma_32x48x32);
GEMM_TEST_INSTANTIATE_HALF(test::sm80_mma_64x64x32_2);
GEMM_TEST_INSTANTIATE(test::sm80_mma_64x192x32_3, test::f16);
GEMM_TEST_INSTANTIATE(test::split_3_of_sm80_mma_64x64x32, test::f16);
GEMM_TEST_INSTANTIATE(test::warp_mma_s8_32x32x64, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::sm80_mma_s8_64x64x64_2, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::split_2_of_sm80_mma_s8_64x64x64, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::repacked_sm80_mma_s8_64x64x64, test::s8_s32);
GEMM_TEST_INSTANTIATE(test::warp_mma_f64_32x24x16, test::f64);
GEMM_TEST_INSTANTIATE(test::sm80_mma_f64_32x64x16_2, test::f64);
#if !defined(GEMM_TEST_SANITIZERS)
GEMM_TEST_INSTANTIATE(test::warp_mma_tf32_32x32x8, test::tf32_f32);
GEMM_TEST_INSTANTIATE(test::sm80_mma_tf32_64x64x16_3, test::tf32_f32);
#endif
#if !defined(GEMM_TEST_SANITIZERS) && !defined(GEMM_TEST_CPU_DEVICE)
GEMM_TEST_INSTANTIATE_HALF(gemm::warp_mma_128x128x32);
GEMM_TEST_INSTANTIATE(gemm::warp_mma_tf32_128x128x16, test::tf32_f32);
GEMM_TEST_INSTANTIATE(gemm::warp_mma_s8_128x128x32, test::s8_s32);
GEMM_TEST_INSTANTIATE(gemm::warp_mma_f64_64x64x8, test::f64);
GEMM_TEST_INSTANTIATE_HALF(gemm::sm80_mma_128x128x32);
GEMM_TEST_INSTANTIATE_HALF(gemm::sm80_mma_128x256x32);
GEMM_TEST_INSTANTIATE_HALF(gemm::sm80_mma_128x192x32);
GEMM_TEST_INSTANTIATE_HALF(gemm::sm80_mma_64x64x64);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_tf32_128x128x16, test::tf32_f32);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_tf32_128x256x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_tf32_64x64x32, test::tf32_f32);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_s8_128x128x64, test::s8_s32);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_s8_128x256x64, test::s8_s32);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_s8_64x64x128, test::s8_s32);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_f64_64x128x16, test::f64);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_f64_128x128x16, test::f64);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_f64_128x64x16, test::f64);
GEMM_TEST_INSTANTIATE(gemm::sm80_mma_f64_64x64x16, test::f64);
#endif
