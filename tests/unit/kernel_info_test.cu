// SPDX-License-Identifier: BSL-1.0
//! @file
//! What policies say of their kernels, in words.

#include <catch2/catch_test_macros.hpp>

#include <gemm/host/kernel_info_text.hpp>
#include <gemm/policies.cuh>

namespace {

template <class Policy>
std::string text_of = gemm::text(Policy::info);

}  // namespace

TEST_CASE("a policy says what its kernel needs and what run() may do with it", "[policy]") {
  CHECK(text_of<gemm::naive_32x4> == "sm_80 simt, direct loads, one tile a block");
  CHECK(text_of<gemm::shared_tile_32x32x32> == "sm_80 simt, loads through registers, one tile a block");
  CHECK(text_of<gemm::pipelined_64x64x16> ==
        "sm_80 simt, cp.async, 3 stages, one tile a block, split-K by workspace or cluster");
  CHECK(text_of<gemm::skinny_1x32x512> == "sm_80 simt, direct loads, one tile a block, split-K by workspace");
  CHECK(text_of<gemm::small_16x16x16> == "sm_80 simt, cp.async, 4 products a block");
  CHECK(text_of<gemm::repacked<gemm::warp_specialized_64x64x32>> ==
        "sm_90a simt, TMA, 6 stages, one tile a block, 4 groups sliced-K, split-K by workspace or cluster, repacks");
  CHECK(text_of<gemm::tensor_core_128x256x64_2x1> ==
        "sm_90a wgmma, TMA, 4 stages, persistent, cluster 2x1, split-K by workspace, repacks");
  CHECK(text_of<gemm::tensor_core_ping_pong_128x128x64> ==
        "sm_90a wgmma, TMA, 6 stages, persistent, ping-pong, repacks");
  CHECK(text_of<gemm::checked<gemm::fp16x3_128x192x64_2x1>> ==
        "sm_90a wgmma, TMA, 5 stages, persistent, cluster 2x1, split terms with fallback");
}

TEST_CASE("a wrapper changes its policy's info and nothing else of it", "[policy]") {
  CHECK(text_of<gemm::persistent<gemm::warp_specialized<gemm::block<64, 64, 32>, gemm::stages<4>>>> ==
        "sm_90a simt, TMA, 4 stages, persistent");
  CHECK(text_of<gemm::split_k<gemm::pipelined_64x64x16, 4>> ==
        "sm_80 simt, cp.async, 3 stages, one tile a block, k in 4 slices by workspace");
  CHECK(text_of<gemm::tail_split_k<gemm::warp_specialized_64x64x32, 2>> ==
        "sm_90a simt, TMA, 6 stages, one tile a block, 4 groups sliced-K, last tiles in 2 slices by cluster");
  using gemm::repacked, gemm::warp_specialized_128x128x32;
  STATIC_CHECK(repacked<warp_specialized_128x128x32>::info.options.misaligned_rows_tma);
  STATIC_CHECK(gemm::warp_specialized_64x64x32::info.smem_transposes_b ==
               repacked<gemm::warp_specialized_64x64x32>::info.smem_transposes_b);
  STATIC_CHECK(warp_specialized_128x128x32::info.smem_transposes_b);
  STATIC_CHECK(!repacked<warp_specialized_128x128x32>::info.smem_transposes_b);  // packs_k_major_b
}
