// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one list of policies: every property is tested for every one of them, in float, in all storages; for the other
//! element types, for one policy of each rung or fewer, and those that are for these types.
#pragma once

#include <type_traits>

#include <gemm/choose/kernel_table.hpp>
#include <gemm/policies.cuh>

#include "../support/subject.hpp"
#include "../support/tier.hpp"

namespace test {

using gemm::block;
using gemm::stages;
using gemm::thread;
using gemm::warp;
using gemm::warps;

// Besides the named policies: tiles that are small, not square or not powers of two, so that small problems have many
// blocks, and numbers that leave threads without work or take other ways through the loaders.
struct naive_8x16 : gemm::naive<block<8, 16>> {};
struct coalesced_4x24 : gemm::coalesced<block<4, 24>> {};
struct shared_tile_16x16x5 : gemm::shared_tile<block<16, 16, 5>> {};
struct block_tile_1d_24x32x3 : gemm::block_tile_1d<block<24, 32, 3>, thread<6>> {};
struct block_tile_2d_32x48x6 : gemm::block_tile_2d<block<32, 48, 6>, thread<4, 3>> {};
struct vectorized_32x64x12 : gemm::vectorized<block<32, 64, 12>, thread<4, 8>> {};
struct warp_tile_32x96x4 : gemm::warp_tile<block<32, 96, 4>, warp<32, 32>, thread<8, 4>> {};
struct pipelined_32x32x8_2 : gemm::pipelined<block<32, 32, 8>, warp<16, 32>, thread<4, 4>, stages<2>> {};
struct pipelined_64x32x4_5 : gemm::pipelined<block<64, 32, 4>, warp<32, 32>, thread<8, 4>, stages<5>> {};
struct skinny_8x32x32 : gemm::skinny<block<8, 32, 32>, warps<1>> {};
struct skinny_64x4x32 : gemm::skinny<block<64, 4, 32>, warps<2>> {};
struct small_32x16x16 : gemm::warp_per_product<block<32, 16, 16>, warps<2>> {};
struct outer_product_12x32x8 : gemm::outer_product<block<12, 32, 8>, warps<3>> {};

// Slices that every thread adds, and so many that several warps add them.
struct split_3_of_32x32x8 : gemm::split_k<pipelined_32x32x8_2, 3> {};
struct split_40_of_64x32x4 : gemm::split_k<pipelined_64x32x4_5, 40> {};
struct split_2_of_64x4x32 : gemm::split_k<skinny_64x4x32, 2> {};

// Besides the named ones: rings as short as they may be, and as many groups of consumers.
struct sm90_simt_tma_128x128x32_2 : gemm::sm90_simt_tma<block<128, 128, 32>, stages<2>> {};
struct sm90_simt_tma_64x256x32 : gemm::sm90_simt_tma<block<64, 256, 32>, stages<3>> {};
struct groups_2_of_128x128x32 : gemm::sm90_simt_tma<block<128, 128, 32>, stages<3>, gemm::k_groups<2>> {};
struct groups_8_of_64x64x32 : gemm::sm90_simt_tma<block<64, 64, 32>, stages<9>, gemm::k_groups<8>> {};
struct groups_of_32x128x32 : gemm::sm90_simt_tma<block<32, 128, 32>, stages<5>, gemm::k_groups<4>, warp<32, 128>> {};
struct split_3_of_64x256x32 : gemm::split_k<sm90_simt_tma_64x256x32, 3> {};
struct cluster_3_of_64x64x32 : gemm::cluster_split_k<gemm::sm90_simt_tma_64x64x32, 3> {};

// Packs what most of the cases give it; of more than one block_k, into a workspace that it shares with the slices.
struct repacked_256x64x32 : gemm::repacked<gemm::sm90_simt_tma<block<256, 64, 32>, stages<2>>> {};
struct split_2_of_repacked_256x64x32 : gemm::split_k<repacked_256x64x32, 2> {};
struct cluster_2_of_repacked_64x256x32 : gemm::cluster_split_k<gemm::repacked<sm90_simt_tma_64x256x32>, 2> {};

// The same for blocks that stay.
struct persistent_36x128x32
    : gemm::persistent<
          gemm::sm90_simt_tma<gemm::block<36, 128, 32>, gemm::stages<3>, gemm::k_groups<1>, gemm::warp<36, 32>>> {};
struct repacked_persistent_36x128x32 : gemm::repacked<persistent_36x128x32> {};

// A tile that small problems have many of, in a ring as short as it may be.
struct sm90_wgmma_64x64x64_2 : gemm::sm90_wgmma<block<64, 64, 64>, stages<2>> {};
struct sm90_wgmma_64x128x64_2x1_3 : gemm::sm90_wgmma<block<64, 128, 64>, stages<3>, gemm::cluster<2>> {};
struct sm90_wgmma_64x64x64_4x1 : gemm::sm90_wgmma<block<64, 64, 64>, stages<2>, gemm::cluster<4>> {};
struct sm90_wgmma_64x64x64_2x2 : gemm::sm90_wgmma<block<64, 64, 64>, stages<3>, gemm::cluster<2, 2>> {};
struct promoted_64x64x64_2
    : gemm::sm90_wgmma<block<64, 64, 64>, stages<2>, gemm::cluster<1>, gemm::half_or_bf16, gemm::promote<128>> {};
struct promoted_16x64x64_2
    : gemm::sm90_wgmma<block<16, 64, 64>, stages<2>, gemm::cluster<1>, gemm::half_or_bf16, gemm::promote<64>> {};
struct split_2_of_promoted_64x64x64 : gemm::split_k<promoted_64x64x64_2, 2> {};
struct split_2_of_tensor_64x64x64_2x2 : gemm::split_k<sm90_wgmma_64x64x64_2x2, 2> {};

// Few rows or columns, whole and with slices that a kernel or a cluster adds; and tiles of all kinds in clusters.
struct sm90_wgmma_16x64x64_2 : gemm::sm90_wgmma<block<16, 64, 64>, stages<2>> {};
struct sm90_wgmma_64x32x64_2 : gemm::sm90_wgmma<block<64, 32, 64>, stages<2>> {};
struct sm90_wgmma_32x128x64_3 : gemm::sm90_wgmma<block<32, 128, 64>, stages<3>> {};
struct cluster_2_of_tensor_16x64x64 : gemm::cluster_split_k<sm90_wgmma_16x64x64_2, 2> {};
struct cluster_3_of_tensor_128x64x64 : gemm::cluster_split_k<gemm::sm90_wgmma_128x64x64, 3> {};
struct cluster_8_of_tensor_64x64x64 : gemm::cluster_split_k<sm90_wgmma_64x64x64_2, 8> {};

// The same in turns, which begin and end where the ring does not; and B's tiles by A's, whose 168 rows end in a box.
struct ping_pong_168x64x64_2 : gemm::sm90_wgmma_ping_pong<block<168, 64, 64>, stages<2>> {};
struct ping_pong_64x64x64_2 : gemm::sm90_wgmma_ping_pong<block<64, 64, 64>, stages<2>> {};
struct ping_pong_64x64x64_1x2 : gemm::sm90_wgmma_ping_pong<block<64, 64, 64>, stages<3>, gemm::cluster<1, 2>> {};
struct ping_pong_64x128x64_2x1 : gemm::sm90_wgmma_ping_pong<block<64, 128, 64>, stages<2>, gemm::cluster<2>> {};

// The same of tf32, whose operands are turned where they are not k-major: in memory, or B by the kernel.
struct sm90_wgmma_tf32_64x64x32_2 : gemm::sm90_wgmma<block<64, 64, 32>, stages<2>, gemm::cluster<1>, gemm::tf32> {};
struct sm90_wgmma_tf32_64x128x32_2 : gemm::sm90_wgmma<block<64, 128, 32>, stages<2>, gemm::cluster<1>, gemm::tf32> {};
struct ping_pong_tf32_64x64x32_2
    : gemm::sm90_wgmma_ping_pong<block<64, 64, 32>, stages<2>, gemm::cluster<1>, gemm::tf32> {};
struct split_3_of_tf32_64x128x32 : gemm::split_k<sm90_wgmma_tf32_64x128x32_2, 3> {};
struct cluster_2_of_tf32_16x64x32 : gemm::cluster_split_k<gemm::sm90_wgmma_tf32_16x64x32, 2> {};

// The same of int8, with a C that TMA stores, too.
struct sm90_wgmma_s8_64x64x128_2 : gemm::sm90_wgmma<block<64, 64, 128>, stages<2>, gemm::cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_64x192x128_2x1 : gemm::sm90_wgmma<block<64, 192, 128>, stages<2>, gemm::cluster<2>, std::int8_t> {
};
struct ping_pong_s8_64x64x128_2
    : gemm::sm90_wgmma_ping_pong<block<64, 64, 128>, stages<2>, gemm::cluster<1>, std::int8_t> {};
// The same of fp8, whose sums are promoted.
struct sm90_wgmma_fp8_64x64x128_2 : gemm::sm90_wgmma<block<64, 64, 128>, stages<2>, gemm::cluster<1>, gemm::fp8> {};
struct sm90_wgmma_fp8_64x192x128_2x1 : gemm::sm90_wgmma<block<64, 192, 128>, stages<2>, gemm::cluster<2>, gemm::fp8> {};
struct sm90_wgmma_fp8_parts_64x256x128_2x1
    : gemm::sm90_wgmma<block<64, 256, 128>, stages<2>, gemm::cluster<2>, gemm::fp8, gemm::promote<128, 2>> {};
struct cluster_2_of_tensor_fp8_16x64x128 : gemm::cluster_split_k<gemm::sm90_wgmma_fp8_16x64x128, 2> {};
struct sm80_mma_fp8_64x64x64_2 : gemm::sm80_mma<block<64, 64, 64>, warp<32, 32>, stages<2>, gemm::fp8> {};

struct split_2_of_tensor_s8_64x64x128 : gemm::split_k<sm90_wgmma_s8_64x64x128_2, 2> {};
struct cluster_2_of_tensor_s8_16x64x128 : gemm::cluster_split_k<gemm::sm90_wgmma_s8_16x64x128, 2> {};

struct split_3_of_tensor_64x64x64 : gemm::split_k<sm90_wgmma_64x64x64_2, 3> {};
struct split_2_of_tensor_32x128x64 : gemm::split_k<sm90_wgmma_32x128x64_3, 2> {};

// Floats in parts: one warpgroup in a ring whose end comes in the middle of a chunk, and two that take turns, in a
// cluster, with a ring as short as it may be.
struct fp16x3_64x64x64_3 : gemm::fp16x3<block<64, 64, 64>, stages<3>> {};
struct fp16x3_128x64x64_2x1 : gemm::fp16x3<block<128, 64, 64>, stages<2>, gemm::cluster<2>> {};
struct fp16x3_sliced_64x64x64_3 : gemm::fp16x3_sliced<block<64, 64, 64>, stages<3>, 3> {};
struct bf16x6_64x64x64_4 : gemm::bf16x6<block<64, 64, 64>, stages<4>> {};
struct bf16x6_mma_64x64x64_2 : gemm::bf16x6_mma<block<64, 64, 64>, stages<2>> {};
struct bf16x6_128x64x64_2x1 : gemm::bf16x6<block<128, 64, 64>, stages<3>, gemm::cluster<2>> {};
struct equilibrated_64x64x64_2 : gemm::equilibrated<gemm::fp16x3<block<64, 64, 64>, stages<2>>> {};

// mma.sync: tiles that small problems have many of, of warps that differ, with and without whole 16-byte rows.
struct warp_mma_32x48x32 : gemm::warp_mma<block<32, 48, 32>, warp<16, 24>> {};
struct warp_mma_tf32_32x32x8 : gemm::warp_mma<block<32, 32, 8>, warp<32, 16>, gemm::tf32> {};
struct warp_mma_s8_32x32x64 : gemm::warp_mma<block<32, 32, 64>, warp<16, 32>, std::int8_t> {};
struct warp_mma_f64_32x24x16 : gemm::warp_mma<block<32, 24, 16>, warp<16, 24>, double> {};
// Rings as short as they may be, one and two sets of fragments, a warp that begins in the middle of a row; and slices.
struct sm80_mma_64x64x32_2 : gemm::sm80_mma<block<64, 64, 32>, warp<32, 32>, stages<2>> {};
struct sm80_mma_64x192x32_3 : gemm::sm80_mma<block<64, 192, 32>, warp<64, 96>, stages<3>> {};
struct sm80_mma_tf32_64x64x16_3 : gemm::sm80_mma<block<64, 64, 16>, warp<32, 32>, stages<3>, gemm::tf32> {};
struct sm80_mma_s8_64x64x64_2 : gemm::sm80_mma<block<64, 64, 64>, warp<32, 32>, stages<2>, std::int8_t> {};
// Few rows: mn-major ones shorter than 128 bytes. Those of 32 store as a block that has a multiprocessor to itself.
struct sm80_mma_16x64x64_2 : gemm::sm80_mma<block<16, 64, 64>, warp<16, 32>, stages<2>> {};
struct sm80_mma_32x64x64_3 : gemm::sm80_mma<block<32, 64, 64>, warp<32, 32>, stages<3>> {
  static constexpr bool stores_alone = true;
};
struct sm80_mma_tf32_16x64x32_2 : gemm::sm80_mma<block<16, 64, 32>, warp<16, 32>, stages<2>, gemm::tf32> {};
struct sm80_mma_s8_16x64x128_2 : gemm::sm80_mma<block<16, 64, 128>, warp<16, 32>, stages<2>, std::int8_t> {};
struct sm80_mma_s8_32x64x128_3 : gemm::sm80_mma<block<32, 64, 128>, warp<32, 32>, stages<3>, std::int8_t> {
  static constexpr bool stores_alone = true;
};
struct sm80_mma_f64_32x64x16_2 : gemm::sm80_mma<block<32, 64, 16>, warp<32, 64>, stages<2>, double> {};
struct sm80_mma_f64_48x32x16_3 : gemm::sm80_mma<block<48, 32, 16>, warp<48, 32>, stages<3>, double> {};
struct cluster_3_of_sm80_mma_f64_64x32x16
    : gemm::cluster_split_k<gemm::sm80_mma<block<64, 32, 16>, warp<16, 32>, stages<4>, double>, 3> {};
struct repacked_sm80_mma_s8_64x64x64 : gemm::repacked<sm80_mma_s8_64x64x64_2> {};
struct split_3_of_sm80_mma_64x64x32 : gemm::split_k<sm80_mma_64x64x32_2, 3> {};
struct split_2_of_sm80_mma_s8_64x64x64 : gemm::split_k<sm80_mma_s8_64x64x64_2, 2> {};

template <class... Policies>
struct policy_pack {};

template <class... First, class... Second>
policy_pack<First..., Second...> joined(policy_pack<First...>, policy_pack<Second...>);

template <class Policy, class... Policies>
constexpr bool lists(policy_pack<Policies...>) {
  return (std::is_same_v<Policy, Policies> || ...);
}

/// The named policies whose rows of the table a filter takes.
template <class Filter>
using named_policies = decltype(gemm::detail::policies_in<policy_pack>(gemm::detail::rows_of<Filter>{}));

using all_policies =
    policy_pack<gemm::naive_32x4, naive_8x16, gemm::coalesced_32x32, coalesced_4x24, gemm::shared_tile_32x32x32,
                shared_tile_16x16x5, gemm::block_tile_1d_64x64x16, block_tile_1d_24x32x3, gemm::block_tile_2d_128x128x8,
                block_tile_2d_32x48x6, gemm::vectorized_128x128x8, vectorized_32x64x12, gemm::warp_tile_128x128x16,
                warp_tile_32x96x4, gemm::pipelined_128x128x16, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16,
                gemm::pipelined_32x64x32, gemm::pipelined_16x64x32, pipelined_32x32x8_2, pipelined_64x32x4_5,
                gemm::skinny_1x32x512, gemm::skinny_32x1x512, split_3_of_32x32x8, split_40_of_64x32x4, skinny_8x32x32,
                skinny_64x4x32, gemm::small_16x16x16, gemm::small_32x32x32, small_32x16x16, outer_product_12x32x8,
                split_2_of_64x4x32>;

/// Those of float alone, besides the rungs' odd ones.
struct float_rows {
  template <class Row>
  static constexpr bool accepts =
      gemm::detail::rows_for<gemm::detail::of_float>::accepts<Row> && !lists<typename Row::policy>(all_policies{});
};
using every_float_policy = decltype(joined(
    named_policies<float_rows>{},
    policy_pack<repacked_persistent_36x128x32, groups_of_32x128x32, sm90_simt_tma_128x128x32_2, groups_2_of_128x128x32,
                groups_8_of_64x64x32, split_3_of_64x256x32, cluster_3_of_64x64x32, split_2_of_repacked_256x64x32,
                cluster_2_of_repacked_64x256x32, fp16x3_64x64x64_3, fp16x3_128x64x64_2x1, fp16x3_sliced_64x64x64_3,
                bf16x6_64x64x64_4, bf16x6_mma_64x64x64_2, bf16x6_128x64x64_2x1, equilibrated_64x64x64_2>{}));

/// Of these one for each way through the kernels, not for each size of tiles.
using some_float_policies =
    policy_pack<gemm::sm90_simt_tma_128x128x32, gemm::sm90_simt_tma_128x16x32, persistent_36x128x32,
                repacked_persistent_36x128x32, gemm::pipelined_48x128x16, gemm::pipelined_32x128x16,
                gemm::outer_product_32x128x16, gemm::small_48x48x48, groups_of_32x128x32, groups_8_of_64x64x32,
                split_3_of_64x256x32, cluster_3_of_64x64x32, split_2_of_repacked_256x64x32,
                cluster_2_of_repacked_64x256x32, fp16x3_64x64x64_3, fp16x3_128x64x64_2x1, fp16x3_sliced_64x64x64_3,
                bf16x6_64x64x64_4, bf16x6_mma_64x64x64_2, equilibrated_64x64x64_2>;

/// And what is run. Sanitizers, under which they take long, have one for each way to load tiles and to add sums;
/// they see fp16x3 in tests/unit/emulated_test.cu alone.
using float_policies = by_tier<policy_pack<gemm::sm90_simt_tma_128x128x32, split_2_of_repacked_256x64x32,
                                           cluster_3_of_64x64x32, persistent_36x128x32, small_32x16x16>,
                               some_float_policies, every_float_policy>;

/// With tiles so large that the CPU device would take minutes: tests/unit/fp16x3_test.cu has a product of each.
using fp16x3_policies = named_policies<gemm::detail::rows_for<gemm::detail::of_float, true>>;

/// One of each rung, the odd one, and those whose loads of narrow operands differ most; of the skinny ones, which take
/// long to compile with sanitizers, one is then enough.
using skinny_policies =
    std::conditional_t<under_sanitizers, policy_pack<skinny_8x32x32>, policy_pack<skinny_8x32x32, skinny_64x4x32>>;
using rung_policies =
    decltype(joined(policy_pack<naive_8x16, coalesced_4x24, shared_tile_16x16x5, block_tile_1d_24x32x3,
                                block_tile_2d_32x48x6, vectorized_32x64x12, warp_tile_32x96x4, gemm::pipelined_64x64x16,
                                pipelined_32x32x8_2, pipelined_64x32x4_5, split_40_of_64x32x4>{},
                    skinny_policies{}));

/// Those of narrow types. Under the thread sanitizer one for each way in which their
/// warps wait for one another: the others wait as in float. Under the others one for each way in which they load: by
/// elements, or by words of several.
using sanitized_narrow_policies =
    std::conditional_t<under_thread_sanitizer, policy_pack<warp_tile_32x96x4, gemm::pipelined_64x64x16>,
                       policy_pack<coalesced_4x24, vectorized_32x64x12, warp_tile_32x96x4, gemm::pipelined_64x64x16,
                                   pipelined_64x32x4_5, skinny_8x32x32>>;
using narrow_policies = by_tier<sanitized_narrow_policies, rung_policies, rung_policies>;
/// bf16 has half's kernels with another conversion.
template <class Types>
using narrow_policies_for =
    std::conditional_t<on_cpu_device && std::is_same_v<Types, bf16_f32>, sanitized_narrow_policies, narrow_policies>;
/// Of double those that load by words, of which a double is one.
using sanitized_double_policies = std::conditional_t<under_thread_sanitizer, policy_pack<gemm::pipelined_64x64x16>,
                                                     policy_pack<vectorized_32x64x12, gemm::pipelined_64x64x16>>;

/// Those of half and bf16 alone.
using every_tensor_policy =
    decltype(joined(named_policies<gemm::detail::rows_for<gemm::detail::of_half>>{},
                    policy_pack<sm90_wgmma_64x64x64_2, sm90_wgmma_64x128x64_2x1_3, sm90_wgmma_64x64x64_4x1,
                                split_2_of_tensor_64x64x64_2x2, sm90_wgmma_64x32x64_2, cluster_2_of_tensor_16x64x64,
                                cluster_3_of_tensor_128x64x64, cluster_8_of_tensor_64x64x64, ping_pong_64x64x64_2,
                                ping_pong_64x64x64_1x2, ping_pong_64x128x64_2x1, ping_pong_168x64x64_2,
                                split_3_of_tensor_64x64x64, split_2_of_tensor_32x128x64, promoted_64x64x64_2,
                                promoted_16x64x64_2, split_2_of_promoted_64x64x64>{}));

/// Of these one for each way through the kernels, not for each width of tiles.
using some_tensor_policies =
    policy_pack<sm90_wgmma_64x64x64_2, sm90_wgmma_64x128x64_2x1_3, gemm::sm90_wgmma_64x64x64,
                gemm::sm90_wgmma_80x128x64_4x1, sm90_wgmma_64x64x64_4x1, split_2_of_tensor_64x64x64_2x2,
                gemm::sm90_wgmma_32x64x64, gemm::sm90_wgmma_16x64x64, gemm::sm90_wgmma_64x32x64,
                gemm::sm90_wgmma_64x16x64, sm90_wgmma_64x32x64_2, cluster_2_of_tensor_16x64x64,
                cluster_3_of_tensor_128x64x64, cluster_8_of_tensor_64x64x64, ping_pong_64x64x64_2,
                ping_pong_64x64x64_1x2, ping_pong_64x128x64_2x1, ping_pong_168x64x64_2, split_3_of_tensor_64x64x64,
                split_2_of_tensor_32x128x64, promoted_16x64x64_2, split_2_of_promoted_64x64x64>;

/// Those of mma.sync, by element type, of which the CPU device and sanitizers have the small ones.
using some_mma_policies =
    policy_pack<warp_mma_32x48x32, warp_mma_tf32_32x32x8, warp_mma_s8_32x32x64, warp_mma_f64_32x24x16,
                sm80_mma_64x64x32_2, sm80_mma_64x192x32_3, split_3_of_sm80_mma_64x64x32, sm80_mma_16x64x64_2,
                sm80_mma_32x64x64_3, sm80_mma_tf32_64x64x16_3, sm80_mma_tf32_16x64x32_2, sm80_mma_s8_64x64x64_2,
                split_2_of_sm80_mma_s8_64x64x64, repacked_sm80_mma_s8_64x64x64, sm80_mma_s8_16x64x128_2,
                sm80_mma_s8_32x64x128_3, sm80_mma_f64_32x64x16_2, sm80_mma_f64_48x32x16_3,
                cluster_3_of_sm80_mma_f64_64x32x16>;
template <class Rows, class... Policies>
using mma_policies_of = by_tier<policy_pack<Policies...>, policy_pack<Policies...>,
                                decltype(joined(named_policies<Rows>{}, policy_pack<Policies...>{}))>;
template <class Inputs>
using mma_rows = gemm::detail::mma_rows_for<Inputs>;
using mma_half_policies =
    mma_policies_of<mma_rows<gemm::detail::of_half>, warp_mma_32x48x32, sm80_mma_64x64x32_2, sm80_mma_64x192x32_3,
                    split_3_of_sm80_mma_64x64x32, sm80_mma_16x64x64_2, sm80_mma_32x64x64_3>;
/// bf16 has half's kernels with other conversions: those that any GPU may choose.
struct other_mma_half_rows {
  template <class Row>
  static constexpr bool accepts =
      mma_rows<gemm::detail::of_half>::accepts<Row> && !Row::policy::info.options.without_wgmma;
};
using other_mma_half_policies = mma_policies_of<other_mma_half_rows, warp_mma_32x48x32, sm80_mma_64x64x32_2>;
using mma_tf32_policies = mma_policies_of<mma_rows<gemm::detail::of_tf32>, warp_mma_tf32_32x32x8,
                                          sm80_mma_tf32_64x64x16_3, sm80_mma_tf32_16x64x32_2>;
using mma_int8_policies = mma_policies_of<mma_rows<gemm::detail::of_int8>, warp_mma_s8_32x32x64, sm80_mma_s8_64x64x64_2,
                                          split_2_of_sm80_mma_s8_64x64x64, repacked_sm80_mma_s8_64x64x64,
                                          sm80_mma_s8_16x64x128_2, sm80_mma_s8_32x64x128_3>;

/// Rows of fp8 that run() may choose.
struct promoted_fp8_rows {
  template <class Row>
  static constexpr bool accepts =
      std::is_same_v<typename Row::inputs, gemm::detail::of_fp8>&& Row::by != gemm::detail::chosen_by::nobody;
};
using mma_double_policies =
    mma_policies_of<mma_rows<gemm::detail::of_double>, warp_mma_f64_32x24x16, sm80_mma_f64_32x64x16_2,
                    sm80_mma_f64_48x32x16_3, cluster_3_of_sm80_mma_f64_64x32x16>;

/// Those of int8 on sm_90, of which the CPU device and sanitizers have one for each way through the kernels.
using tensor_int8_policies =
    by_tier<policy_pack<sm90_wgmma_s8_64x64x128_2>,
            policy_pack<sm90_wgmma_s8_64x64x128_2, split_2_of_tensor_s8_64x64x128, cluster_2_of_tensor_s8_16x64x128>,
            decltype(joined(
                named_policies<gemm::detail::wgmma_rows_for<gemm::detail::of_int8>>{},
                policy_pack<sm90_wgmma_s8_64x64x128_2, sm90_wgmma_s8_64x192x128_2x1, ping_pong_s8_64x64x128_2,
                            split_2_of_tensor_s8_64x64x128, cluster_2_of_tensor_s8_16x64x128>{}))>;

/// Those of fp8, without those that do not promote: tests/unit/fp8_test.cu.
using fp8_policies =
    std::conditional_t<on_cpu_device, policy_pack<sm90_wgmma_fp8_parts_64x256x128_2x1, gemm::block_scaled_32x32>,
                       decltype(joined(named_policies<promoted_fp8_rows>{},
                                       policy_pack<sm90_wgmma_fp8_64x64x128_2, sm90_wgmma_fp8_64x192x128_2x1,
                                                   sm90_wgmma_fp8_parts_64x256x128_2x1,
                                                   cluster_2_of_tensor_fp8_16x64x128, sm80_mma_fp8_64x64x64_2>{}))>;

/// Those whose stores of a C of fp8 differ: by TMA, from registers and misaligned rows; in slices; of mma.sync.
using fp8_store_policies = policy_pack<sm90_wgmma_fp8_64x192x128_2x1, sm90_wgmma_fp8_64x64x128_2,
                                       cluster_2_of_tensor_fp8_16x64x128, sm80_mma_fp8_64x64x64_2>;

/// And what is run of half in half, and of the other types. Under sanitizers the ones whose blocks are small.
using tensor_policies =
    by_tier<policy_pack<sm90_wgmma_64x64x64_2, sm90_wgmma_64x128x64_2x1_3, split_2_of_tensor_64x64x64_2x2,
                        split_3_of_tensor_64x64x64, ping_pong_64x64x64_2, ping_pong_64x64x64_1x2, ping_pong_168x64x64_2,
                        sm90_wgmma_64x32x64_2, cluster_2_of_tensor_16x64x64>,
            some_tensor_policies, every_tensor_policy>;
using other_tensor_policies =
    by_tier<policy_pack<>,
            policy_pack<sm90_wgmma_64x64x64_2, sm90_wgmma_64x128x64_2x1_3, sm90_wgmma_64x32x64_2,
                        cluster_2_of_tensor_16x64x64, ping_pong_64x64x64_2>,
            policy_pack<sm90_wgmma_64x64x64_2, sm90_wgmma_64x128x64_2x1_3, sm90_wgmma_64x32x64_2,
                        cluster_2_of_tensor_16x64x64, ping_pong_64x64x64_2, gemm::sm90_wgmma_ping_pong_128x176x64>>;
template <class Types>
using tensor_policies_for = std::conditional_t<
    std::is_same_v<Types, f16>, decltype(joined(tensor_policies{}, mma_half_policies{})),
    std::conditional_t<Types::integral, decltype(joined(tensor_int8_policies{}, mma_int8_policies{})),
                       decltype(joined(other_tensor_policies{}, other_mma_half_policies{}))>>;

/// Those of tf32.
using every_tf32_policy =
    decltype(joined(named_policies<gemm::detail::rows_for<gemm::detail::of_tf32>>{},
                    policy_pack<sm90_wgmma_tf32_64x64x32_2, sm90_wgmma_tf32_64x128x32_2, ping_pong_tf32_64x64x32_2,
                                split_3_of_tf32_64x128x32, cluster_2_of_tf32_16x64x32>{}));

/// Of these one for each way through the kernels, which half tries in all sizes; and what is run.
using some_tf32_policies =
    policy_pack<sm90_wgmma_tf32_64x64x32_2, sm90_wgmma_tf32_64x128x32_2, ping_pong_tf32_64x64x32_2,
                split_3_of_tf32_64x128x32, cluster_2_of_tf32_16x64x32>;
using tf32_policies = std::conditional_t<on_cpu_device, some_tf32_policies, every_tf32_policy>;

/// Stores of single elements, of runs with an odd length, and of the widest runs. For these no threads wait: the thread
/// sanitizer has one.
using store_policies = std::conditional_t<under_thread_sanitizer, policy_pack<vectorized_32x64x12>,
                                          policy_pack<coalesced_4x24, block_tile_2d_32x48x6, vectorized_32x64x12>>;

// See GEMM_TEST_INSTANTIATE_WIDE. The CPU device has the rungs' small tiles, and those that run() chooses.
using double_policies = std::conditional_t<
    under_sanitizers, sanitized_double_policies,
    decltype(joined(rung_policies{}, policy_pack<gemm::pipelined_64x128x16, gemm::pipelined_32x64x32,
                                                 gemm::pipelined_16x64x32, gemm::skinny_1x32x512, gemm::skinny_32x1x512,
                                                 gemm::small_16x16x16, gemm::small_32x32x32>{}))>;
using wide_policies =
    by_tier<rung_policies,
            decltype(joined(double_policies{},
                            policy_pack<small_32x16x16, outer_product_12x32x8, split_2_of_64x4x32>{})),
            all_policies>;

template <class Types>
using policies_for = std::conditional_t<
    std::is_same_v<Types, f32>, decltype(joined(wide_policies{}, float_policies{})),
    std::conditional_t<
        std::is_same_v<Types, tf32_f32>, decltype(joined(tf32_policies{}, mma_tf32_policies{})),
        std::conditional_t<
            std::is_same_v<Types, e4m3_f32>, fp8_policies,
            std::conditional_t<
                std::is_same_v<Types, e4m3>, fp8_store_policies,
                std::conditional_t<
                    contains<Types, wide_types>, decltype(joined(double_policies{}, mma_double_policies{})),
                    std::conditional_t<contains<Types, narrow_types>,
                                       decltype(joined(narrow_policies_for<Types>{}, tensor_policies_for<Types>{})),
                                       store_policies>>>>>>;

/// Whether the chain of epilogues is compiled for it: not for each size of tiles.
template <class Policy>
inline constexpr bool has_chain =
    lists<Policy>(all_policies{}) || lists<Policy>(rung_policies{}) || lists<Policy>(some_float_policies{}) ||
    lists<Policy>(some_tensor_policies{}) || lists<Policy>(some_tf32_policies{}) || lists<Policy>(some_mma_policies{});

/// Compiled for each policy of the list by GEMM_TEST_INSTANTIATE, in the source of its rung.
template <class Policy, class Types>
gemm::status run_policy(call<Types> const& x);

}  // namespace test
