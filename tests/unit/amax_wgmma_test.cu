// SPDX-License-Identifier: BSL-1.0
//! @file
//! amax by kernels of tensor cores.

#include <catch2/catch_test_macros.hpp>

#include <gemm/gemm.cuh>

#include "../policies/policies.hpp"
#include "../support/amax.hpp"
#include "../support/types.hpp"

TEST_CASE("amax sees each element of C once, by kernels of split terms", "[epilogue][amax]") {
  test::check_amax_of_all<float, float>(
      test::policy_pack<test::fp16x3_64x64x64_3, test::fp16x3_sliced_64x64x64_3, test::bf16x6_mma_64x64x64_2,
                        gemm::with_fallback<test::fp16x3_64x64x64_3>, test::equilibrated_64x64x64_2>{});
  test::check_amax_of_all<float, __nv_fp8_e4m3>(test::policy_pack<test::fp16x3_64x64x64_3>{});
}

TEST_CASE("amax sees each element of C once, by kernels of tensor cores", "[epilogue][amax]") {
  test::check_amax_of_all<test::half, test::half>(
      test::policy_pack<test::sm90_wgmma_64x64x64_2, gemm::sm90_wgmma_64x160x64_4x1, gemm::sm90_wgmma_128x192x64_2x1,
                        gemm::sm90_wgmma_80x128x64_4x1, test::split_2_of_tensor_64x64x64_2x2,
                        test::cluster_2_of_tensor_16x64x64, test::ping_pong_64x64x64_2, test::ping_pong_168x64x64_2,
                        test::warp_mma_32x48x32, test::sm80_mma_64x64x32_2, test::split_3_of_sm80_mma_64x64x32>{});
}

TEST_CASE("amax sees each element of a C of one byte once", "[epilogue][amax]") {
  using e4m3 = __nv_fp8_e4m3;
  test::check_amax_of_all<e4m3, e4m3>(
      test::policy_pack<test::sm90_wgmma_fp8_64x192x128_2x1, test::cluster_2_of_tensor_fp8_16x64x128,
                        test::sm80_mma_fp8_64x64x64_2>{});
  test::check_amax_of_all<test::half, e4m3>(
      test::policy_pack<gemm::sm90_wgmma_64x160x64_4x1, gemm::sm90_wgmma_80x128x64_4x1, test::ping_pong_64x64x64_2>{});
  test::check_amax_of_all<test::int8, test::int8>(test::policy_pack<test::ping_pong_s8_64x64x128_2>{});
}
