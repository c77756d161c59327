// SPDX-License-Identifier: BSL-1.0
//! @file
//! The table of named policies: what run() chooses from, tune() measures, tests and benchmarks list.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <type_traits>

#include <gemm/choose/kernel_row.hpp>
#include <gemm/element.hpp>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>

namespace gemm::detail {

using of_float = type_list<float>;
using of_half = type_list<__half, __nv_bfloat16>;
using of_tf32 = type_list<tf32>;
using of_int8 = type_list<std::int8_t>;
using of_fp8 = type_list<__nv_fp8_e4m3, __nv_fp8_e5m2>;
using of_double = type_list<double>;
using of_16_bits_or_tf32 = type_list<__half, __nv_bfloat16, tf32>;
using of_others = type_list<double, std::int8_t>;
using of_all_but_float = type_list<double, __half, __nv_bfloat16, tf32, std::int8_t>;
using of_all = type_list<float, double, __half, __nv_bfloat16, tf32, std::int8_t>;

/// Chosen by cover of the times of all candidates there were (docs/tuning-notes.md).
using kernel_table = kernel_rows<
    // The ladder.
    kernel_row<naive_32x4, of_all>, kernel_row<coalesced_32x32, of_all>, kernel_row<shared_tile_32x32x32, of_all>,
    kernel_row<block_tile_1d_64x64x16, of_all>, kernel_row<block_tile_2d_128x128x8, of_all>,
    kernel_row<vectorized_128x128x8, of_all>, kernel_row<warp_tile_128x128x16, of_all>,
    kernel_row<pipelined_128x128x16, of_all>,
    // mma.sync: tensor cores of every GPU from sm_80 on.
    kernel_row<warp_mma_128x128x32, of_half>, kernel_row<warp_mma_tf32_128x128x16, of_tf32>,
    kernel_row<warp_mma_s8_128x128x32, of_int8>, kernel_row<warp_mma_f64_64x64x8, of_double>,
    kernel_row<sm80_mma_128x128x32, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_128x256x32, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_256x128x32, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_128x192x32, of_half>, kernel_row<sm80_mma_64x128x32, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_64x64x64, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_32x64x64, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_16x64x64, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_16x128x64, of_half, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_tf32_128x128x16, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_tf32_128x256x32, of_tf32>,
    kernel_row<sm80_mma_tf32_128x256x16, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_tf32_64x128x16, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_tf32_64x64x32, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_tf32_32x64x32, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_tf32_16x64x32, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_tf32_16x128x32, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_s8_128x128x64, of_int8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_s8_128x256x64, of_int8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_s8_64x128x64, of_int8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_s8_64x64x128, of_int8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_s8_32x64x128, of_int8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_s8_16x64x128, of_int8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_s8_16x128x128, of_int8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_fp8_128x128x64, of_fp8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_fp8_64x128x64, of_fp8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_fp8_64x64x128, of_fp8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_fp8_32x64x128, of_fp8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_fp8_16x64x128, of_fp8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_fp8_16x128x128, of_fp8, chosen_by::run, workspace_slices>,
    kernel_row<sm80_mma_f64_64x128x16, of_double>, kernel_row<sm80_mma_f64_128x128x16, of_double, chosen_by::run>,
    kernel_row<sm80_mma_f64_96x96x16, of_double, chosen_by::run, any_slices>,
    kernel_row<sm80_mma_f64_128x64x16, of_double, chosen_by::run, any_slices>,
    kernel_row<sm80_mma_f64_64x64x16, of_double, chosen_by::run, any_slices>,
    kernel_row<sm80_mma_f64_64x32x16, of_double, chosen_by::run, any_slices>,
    kernel_row<sm80_mma_f64_32x32x16, of_double, chosen_by::run, any_slices>,
    // Float by TMA.
    kernel_row<sm90_simt_tma_128x128x32, of_float, chosen_by::run, splits{.streams = true}>,
    kernel_row<sm90_simt_tma_128x64x32, of_float, chosen_by::run, splits{.streams = true}>,
    kernel_row<persistent_128x64x32, of_float, chosen_by::run_mn_major_b>, kernel_row<persistent_64x128x32, of_float>,
    kernel_row<persistent_64x64x32, of_float, chosen_by::run_mn_major_b>, kernel_row<persistent_128x32x32, of_float>,
    kernel_row<sm90_simt_tma_64x64x32, of_float, chosen_by::run, cluster_slices>,
    kernel_row<sm90_simt_tma_128x32x32, of_float>,
    kernel_row<sm90_simt_tma_128x16x32, of_float, chosen_by::run, workspace_slices>,
    kernel_row<sm90_simt_tma_16x64x32, of_float, chosen_by::run, any_slices>,
    // Half and bf16 on tensor cores.
    kernel_row<sm90_wgmma_64x192x64_2x1, of_half, chosen_by::run_k_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_64x96x64_2x1, of_half, chosen_by::run_k_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_224x128x64_1x2, of_half>, kernel_row<sm90_wgmma_192x96x64_1x2, of_half>,
    kernel_row<sm90_wgmma_160x256x64_2x1, of_half, chosen_by::run_mn_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_96x192x64_2x1, of_half, chosen_by::run_mn_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_128x256x64_2x1, of_half, chosen_by::run>,
    kernel_row<sm90_wgmma_ping_pong_128x128x64, of_half>, kernel_row<sm90_wgmma_160x128x64_1x2, of_half>,
    kernel_row<sm90_wgmma_ping_pong_128x176x64, of_half, chosen_by::run_k_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_ping_pong_128x128x64_1x2, of_half, chosen_by::run>,
    kernel_row<sm90_wgmma_64x160x64_4x1, of_half>,
    kernel_row<sm90_wgmma_128x192x64_2x1, of_half, chosen_by::run, whole_k, not_of_views>,
    kernel_row<sm90_wgmma_128x224x64, of_half, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_128x128x64_2x2, of_half, chosen_by::run, workspace_slices, not_in_groups>,
    kernel_row<sm90_wgmma_64x128x64, of_half, chosen_by::run_mn_major_b, workspace_slices, not_in_groups>,
    kernel_row<sm90_wgmma_128x64x64, of_half, chosen_by::run, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_64x64x64, of_half, chosen_by::run, any_slices>,
    kernel_row<sm90_wgmma_64x80x64, of_half, chosen_by::run_k_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_96x64x64_1x2, of_half, chosen_by::run_k_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_192x128x64_1x2, of_half, chosen_by::run_k_major_b, workspace_slices, not_in_groups>,
    kernel_row<sm90_wgmma_32x64x64, of_half, chosen_by::run_k_major_b, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_64x32x64, of_half, chosen_by::run_mn_major_b>,
    kernel_row<sm90_wgmma_16x64x64, of_half, chosen_by::run, cluster_slices>,
    kernel_row<sm90_wgmma_64x16x64, of_half, chosen_by::run, cluster_slices>,
    kernel_row<sm90_wgmma_80x128x64_4x1, of_half, chosen_by::run_mn_major_b, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_promoted_128x128x64, of_half, chosen_by::run_long_k,
               splits{.in_workspace = true, .in_block = true}>,
    kernel_row<sm90_wgmma_promoted_128x192x64_2x1, of_half, chosen_by::run_long_k, splits{.in_block = true},
               not_of_views>,
    kernel_row<sm90_wgmma_promoted_128x64x64, of_half, chosen_by::batch_invariant, splits{.in_block = true}>,
    // tf32 on tensor cores.
    kernel_row<sm90_wgmma_tf32_128x256x32, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm90_wgmma_tf32_128x192x32, of_tf32, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_ping_pong_tf32_128x128x32, of_tf32, chosen_by::run>,
    kernel_row<sm90_wgmma_tf32_128x96x32, of_tf32, chosen_by::run, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_tf32_64x128x32, of_tf32, chosen_by::run, workspace_slices>,
    kernel_row<sm90_wgmma_tf32_128x64x32, of_tf32, chosen_by::run, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_tf32_64x64x32, of_tf32, chosen_by::run, any_slices>,
    kernel_row<sm90_wgmma_tf32_16x64x32, of_tf32, chosen_by::run>,
    kernel_row<sm90_wgmma_tf32_64x16x32, of_tf32, chosen_by::run, cluster_slices>,
    // int8 on tensor cores.
    kernel_row<sm90_wgmma_s8_128x256x128_2x1, of_int8, chosen_by::run>,
    kernel_row<sm90_wgmma_ping_pong_s8_128x128x128, of_int8, chosen_by::run>,
    kernel_row<sm90_wgmma_s8_128x128x128, of_int8>,
    kernel_row<sm90_wgmma_s8_64x64x128, of_int8, chosen_by::run, any_slices>,
    kernel_row<sm90_wgmma_s8_32x64x128, of_int8, chosen_by::run, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_s8_16x64x128, of_int8, chosen_by::run, cluster_slices>,
    kernel_row<sm90_wgmma_s8_64x16x128, of_int8, chosen_by::run, cluster_slices>,
    kernel_row<sm90_wgmma_s8_128x64x128_1x4, of_int8, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_s8_64x80x128, of_int8, chosen_by::run_k_major_b, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_s8_128x80x128_1x2, of_int8, chosen_by::run, workspace_slices, not_in_groups>,
    kernel_row<sm90_wgmma_s8_192x80x128_1x2, of_int8, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_s8_192x128x128_1x2, of_int8, chosen_by::run, workspace_slices, not_in_groups>,
    // fp8 on tensor cores.
    kernel_row<sm90_wgmma_fp8_128x256x128_2x1, of_fp8, chosen_by::run>,
    kernel_row<sm90_wgmma_fp8_128x192x128_2x1, of_fp8, chosen_by::run, whole_k, not_of_views>,
    kernel_row<sm90_wgmma_fp8_128x160x128, of_fp8, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_fp8_128x128x128, of_fp8, chosen_by::run, workspace_slices>,
    kernel_row<sm90_wgmma_fp8_64x64x128, of_fp8, chosen_by::run, any_slices>,
    kernel_row<sm90_wgmma_fp8_32x64x128, of_fp8, chosen_by::run, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_fp8_16x64x128, of_fp8, chosen_by::run, cluster_slices>,
    kernel_row<sm90_wgmma_fp8_64x16x128, of_fp8, chosen_by::run, cluster_slices>,
    kernel_row<sm90_wgmma_fp8_64x80x128, of_fp8, chosen_by::run_k_major_b, cluster_slices, not_in_groups>,
    kernel_row<sm90_wgmma_fp8_96x64x128_1x2, of_fp8, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_fp8_96x128x128_1x2, of_fp8, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_fp8_160x128x128_1x2, of_fp8, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_fp8_128x80x128_1x2, of_fp8, chosen_by::run, whole_k, not_in_groups>,
    kernel_row<sm90_wgmma_fp8_fast_128x256x128_2x1, of_fp8>,
    kernel_row<sm90_wgmma_ping_pong_fp8_fast_128x128x128, of_fp8>,
    // fp8 with scales of blocks where there is no wgmma.
    kernel_row<block_scaled_32x32, of_fp8, chosen_by::run_block_scales>,
    // Any GPU, and operands that TMA cannot load.
    kernel_row<pipelined_128x64x16, of_float, chosen_by::run, workspace_slices>,
    kernel_row<pipelined_48x128x16, of_float, chosen_by::run, workspace_slices>,
    kernel_row<pipelined_32x128x16, of_float>,
    kernel_row<pipelined_128x32x16, of_float, chosen_by::run, workspace_slices>,
    kernel_row<pipelined_64x128x16, of_16_bits_or_tf32>, kernel_row<pipelined_64x128x16, of_double>,
    kernel_row<pipelined_64x64x16, of_double>, kernel_row<pipelined_16x64x32, of_double>,
    kernel_row<pipelined_32x64x32, of_float, chosen_by::run, workspace_slices>,
    kernel_row<pipelined_32x64x32, of_double, chosen_by::run, workspace_slices>,
    // Few rows, few columns, short k, and batches of small products.
    kernel_row<skinny_8x64x64, of_float, chosen_by::run_k_major_b, workspace_slices>,
    kernel_row<skinny_4x128x32, of_float, chosen_by::run_mn_major_b, workspace_slices>,
    kernel_row<skinny_64x8x64, of_float, chosen_by::run, workspace_slices>,
    kernel_row<outer_product_32x128x16, of_float>, kernel_row<small_48x48x48, of_float>,
    kernel_row<small_32x32x32, of_float, chosen_by::run>, kernel_row<small_16x16x16, of_float, chosen_by::run>,
    kernel_row<skinny_1x32x512, of_float, chosen_by::run_k_major_b>,
    kernel_row<skinny_1x32x512, of_others, chosen_by::run>, kernel_row<skinny_1x32x512, of_16_bits_or_tf32>,
    kernel_row<skinny_32x1x512, of_all_but_float>,
    kernel_row<skinny_1x128x64, of_float, chosen_by::run_mn_major_b, workspace_slices>,
    kernel_row<skinny_128x1x64, of_float, chosen_by::run, workspace_slices>,
    // Float as sums of 16-bit terms.
    kernel_row<fp16x3_128x192x64_2x1, of_float, chosen_by::fp32_emulated>,
    kernel_row<fp16x3_128x128x64_2x1, of_float, chosen_by::fp32_emulated>,
    kernel_row<fp16x3_compensated_128x192x64_2x1, of_float, chosen_by::fp32_emulated>,
    kernel_row<fp16x3_sliced_128x128x64, of_float, chosen_by::fp32_emulated>,
    kernel_row<fp16x3_compensated_128x128x64_2x1, of_float>, kernel_row<fp16x3_wide_128x192x64_2x1, of_float>,
    kernel_row<fp16x3_wide_128x128x64_2x1, of_float>, kernel_row<bf16x6_128x128x64_2x1, of_float>,
    kernel_row<bf16x6_mma_128x128x64, of_float, chosen_by::fp32_emulated>>;

template <class... First, class... Second>
constexpr type_list<First..., Second...> operator+(type_list<First...>, type_list<Second...>) {
  return {};
}
template <class Filter, class... Rows>
constexpr auto rows_accepted_by(kernel_rows<Rows...>) {
  return (type_list<>{} + ... + std::conditional_t<Filter::template accepts<Rows>, type_list<Rows>, type_list<>>{});
}

/// The rows of the table that Filter::accepts<Row>, as a type_list; and their policies.
template <class Filter>
using rows_of = decltype(rows_accepted_by<Filter>(kernel_table{}));
template <template <class...> class List, class... Rows>
List<typename Rows::policy...> policies_in(type_list<Rows...>);

/// A filter: rows for exactly these elements, of split terms, or others without those of mma.sync; and those.
template <class Inputs, bool SplitTerms = false>
struct rows_for {
  template <class Row>
  static constexpr bool accepts = std::is_same_v<typename Row::inputs, Inputs>&& Row::policy::info.split_terms ==
                                      SplitTerms &&
                                  (SplitTerms || Row::policy::info.op != math_op::mma);
};
template <class Inputs, math_op Op>
struct op_rows_for {
  template <class Row>
  static constexpr bool accepts =
      std::is_same_v<typename Row::inputs, Inputs>&& Row::policy::info.op == Op && !Row::policy::info.split_terms;
};
template <class Inputs>
using wgmma_rows_for = op_rows_for<Inputs, math_op::wgmma>;
template <class Inputs>
using mma_rows_for = op_rows_for<Inputs, math_op::mma>;

}  // namespace gemm::detail
