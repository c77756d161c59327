// SPDX-License-Identifier: BSL-1.0
//! @file
//! What policies say of their kernels, in words, and the table of them.

#include <catch2/catch_test_macros.hpp>

#include <gemm/choose/candidates.hpp>
#include <gemm/choose/kernel_info_text.hpp>
#include <gemm/policies.cuh>

namespace {

template <class Policy>
std::string text_of = gemm::text(Policy::info);

}  // namespace

TEST_CASE("a policy says what its kernel needs and what run() may do with it", "[policy]") {
  CHECK(text_of<gemm::naive_32x4> == "sm_80 simt, direct loads, one tile a block");
  CHECK(text_of<gemm::shared_tile_32x32x32> == "sm_80 simt, loads through registers, one tile a block");
  CHECK(text_of<gemm::warp_mma_128x128x32> == "sm_80 mma, loads through registers, one tile a block");
  CHECK(text_of<gemm::sm80_mma_128x256x32> == "sm_80 mma, cp.async, 4 stages, one tile a block, split-K by workspace");
  CHECK(text_of<gemm::pipelined_64x64x16> == "sm_80 simt, cp.async, 3 stages, one tile a block, split-K by workspace");
  CHECK(text_of<gemm::skinny_1x32x512> == "sm_80 simt, direct loads, one tile a block, split-K by workspace");
  CHECK(text_of<gemm::small_16x16x16> == "sm_80 simt, cp.async, 4 products a block");
  CHECK(text_of<gemm::repacked<gemm::sm90_simt_tma_64x64x32>> ==
        "sm_90a simt, TMA, 6 stages, one tile a block, 4 groups sliced-K, split-K by workspace or cluster, repacks");
  CHECK(text_of<gemm::sm90_wgmma_128x256x64_2x1> ==
        "sm_90a wgmma, TMA, 4 stages, persistent, cluster 2x1, split-K by workspace, repacks");
  CHECK(text_of<gemm::sm90_wgmma_promoted_128x128x64> ==
        "sm_90a wgmma, TMA, 6 stages, persistent, split-K by workspace or cluster, promotes every 1024 k, repacks");
  CHECK(text_of<gemm::sm90_wgmma_ping_pong_128x128x64> ==
        "sm_90a wgmma, TMA, 6 stages, persistent, ping-pong, repacks");
  CHECK(text_of<gemm::with_fallback<gemm::fp16x3_128x192x64_2x1>> ==
        "sm_90a wgmma, TMA, 5 stages, persistent, cluster 2x1, split terms with fallback");
}

TEST_CASE("a wrapper changes its policy's info and nothing else of it", "[policy]") {
  CHECK(text_of<gemm::persistent<gemm::sm90_simt_tma<gemm::block<64, 64, 32>, gemm::stages<4>>>> ==
        "sm_90a simt, TMA, 4 stages, persistent");
  CHECK(text_of<gemm::split_k<gemm::pipelined_64x64x16, 4>> ==
        "sm_80 simt, cp.async, 3 stages, one tile a block, k in 4 slices by workspace");
  CHECK(text_of<gemm::stream_k<gemm::sm90_simt_tma_64x64x32, 2>> ==
        "sm_90a simt, TMA, 6 stages, one tile a block, 4 groups sliced-K, k in 2 slices by last block (stream-K)");
  using gemm::repacked, gemm::sm90_simt_tma_128x128x32;
  STATIC_CHECK(repacked<sm90_simt_tma_128x128x32>::info.options.packs_k_major_b);
  STATIC_CHECK(gemm::sm90_simt_tma_64x64x32::info.smem_transposes_b ==
               repacked<gemm::sm90_simt_tma_64x64x32>::info.smem_transposes_b);
  STATIC_CHECK(sm90_simt_tma_128x128x32::info.smem_transposes_b);
  STATIC_CHECK(!repacked<sm90_simt_tma_128x128x32>::info.smem_transposes_b);  // packs_k_major_b
}

namespace {

using gemm::detail::kernel_row;
using gemm::detail::kernel_rows;
using gemm::detail::type_list;

template <class Row, class... Inputs>
constexpr bool takes_all(type_list<Inputs...>) {
  return (Row::policy::template check_operands<Inputs>() && ...);
}

/// How often a policy has a row for an element type.
template <class Policy, class Input, class... Rows>
constexpr int count_of(kernel_rows<Rows...>) {
  return ((std::is_same_v<typename Rows::policy, Policy> && gemm::detail::lists<typename Rows::inputs, Input>)+...);
}
template <class Row, class... Inputs>
constexpr bool is_unique(type_list<Inputs...>) {
  return ((count_of<typename Row::policy, Inputs>(gemm::detail::kernel_table{}) == 1) && ...);
}

/// Whether a row's policy has the kernels for how it may split k.
template <class Row>
constexpr bool can_split() {
  constexpr gemm::kernel_info const& of = Row::policy::info;
  return (!Row::split.in_workspace || of.reductions.workspace) && (!Row::split.in_cluster || of.reductions.cluster) &&
         (!Row::split.streams || (of.reductions.workspace && of.arch == gemm::architecture::sm_90a));
}

template <class... Rows>
void check_rows(kernel_rows<Rows...>) {
  (
      [] {
        INFO(gemm::name<typename Rows::policy>());
        CHECK(takes_all<Rows>(typename Rows::inputs{}));
        CHECK(is_unique<Rows>(typename Rows::inputs{}));
        CHECK(can_split<Rows>());
        CHECK(Rows::policy::info.uses_tma() == (Rows::policy::info.arch == gemm::architecture::sm_90a));
      }(),
      ...);
}

}  // namespace

TEST_CASE("a row's policy takes its elements, once, and can be split as the row says", "[policy]") {
  check_rows(gemm::detail::kernel_table{});
}

TEST_CASE("every element type has candidates that need no sm_90a", "[policy]") {
  auto const sm_80 = []<class... Policies, gemm::detail::splits... Splits>(
                         gemm::detail::candidate_list<gemm::detail::candidate<Policies, Splits>...>) {
    return ((Policies::info.arch == gemm::architecture::sm_80) + ...);
  };
  auto const of = [&]<class Input>(Input) {
    using problem = gemm::detail::plain_problem<Input, float, gemm::nn, gemm::identity>;
    return sm_80(gemm::detail::candidates<gemm::automatic, problem>{});
  };
  constexpr int least = gemm::arch::compiles_for_sm90_alone ? 1 : 2;  // wgmma computes what 128x128 would
  CHECK(of(float{}) >= 4);
  CHECK(of(double{}) >= 4);
  CHECK(of(__half{}) >= least);
  CHECK(of(__nv_bfloat16{}) >= least);
  CHECK(of(gemm::tf32{}) >= 2);
  CHECK(of(std::int8_t{}) >= least);
}
