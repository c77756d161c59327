// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a call of a policy that is_choice chooses from: rows of the table.
#pragma once

#include <type_traits>

#include <gemm/arch/target.cuh>
#include <gemm/block/block_scales.cuh>
#include <gemm/block/gated_store.cuh>
#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/block/scale_stage.cuh>
#include <gemm/choose/fixed_bits.hpp>
#include <gemm/choose/kernel_table.hpp>
#include <gemm/input_types.hpp>
#include <gemm/launch/follows.hpp>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>

namespace gemm::detail {

/// A policy that run() may choose, and how it may split k.
template <class Policy, splits Splits>
struct candidate {};

template <class... Candidates>
struct candidate_list {};

/// A row's policy as run() calls it: what TMA cannot load is repacked, and split terms have a fallback.
template <class Policy>
using candidate_policy = std::conditional_t<
    Policy::info.split_terms, with_fallback<Policy>,
    std::conditional_t<Policy::info.packs_or_may() && !Policy::info.repacks, repacked<Policy>, Policy>>;

/// Whether a policy applies a problem's scales of blocks, if it has some. Where shared memory has them beside each
/// stage, registers suffice for the largest tiles; else for 64 accumulators.
template <class Policy, class Problem>
inline constexpr bool applies_scales = [] {
  if constexpr (!has_block_scales<Problem>) {
    return true;
  } else {
    return Policy::info.scales_blocks && (Policy::accumulators <= 64 || stages_scales<Policy, Problem>);
  }
}();

/// Whether nothing of a problem is packed for a policy: not what device memory says the place of, nor rows that threads
/// can gather.
template <class Policy, class Problem>
inline constexpr bool packs_nothing = has_own_problems<Problem> || (gathering<Problem> && has_own_work<Policy>);

/// A row's policy for a problem; and that of a policy that is named. A ragged k of such may be packed.
template <class Policy, class Problem>
using policy_for = std::conditional_t<packs_nothing<Policy, Problem>, Policy, candidate_policy<Policy>>;
template <class Policy, class Problem>
using named_policy = std::conditional_t<packs_nothing<Policy, Problem> && !is_ragged_k_problem<Problem>,
                                        direct<whole_of<Policy>>, whole_of<Policy>>;

/// Whether a policy's kernel computes a problem's products; and how it may then split k.
template <class Policy, class Problem>
inline constexpr bool computes = [] {
  constexpr bool follows = is_ragged_problem<Problem>     ? follows_ranges<Policy>
                           : is_ragged_k_problem<Problem> ? has_own_work<Policy> || loads_ragged_k<Policy, Problem>
                           : is_grouped_problem<Problem>  ? has_own_work<Policy> || loads_grouped<Policy, Problem>
                           : has_own_problems<Problem>    ? has_own_work<Policy>
                                                          : true,
                 stores = !stores_by_row<Problem> || can_store_by_row<Policy>,
                 gathers = !gathering<Problem> || can_gather<policy_for<Policy, Problem>>;
  return follows && stores && gathers;
}();
/// Whether kernels of wgmma compute a problem.
template <class Problem>
inline constexpr bool computed_by_wgmma = !has_own_problems<Problem> && !gathering<Problem>;

/// Whether wgmma is the better choice for a problem, where there is wgmma.
template <class Problem>
constexpr bool is_beaten_by_wgmma(kernel_options const& options) {
  return options.without_wgmma || (options.besides_wgmma && computed_by_wgmma<Problem>);
}

/// The first policy of mma.sync that run() chooses for a problem: for products that differ, and of which TMA can load
/// others.
template <class Problem>
struct chosen_mma_rows {
  template <class Row>
  static constexpr bool accepts =
      Row::policy::info.op == math_op::mma&& Row::by ==
      chosen_by::run&& accepts_inputs<typename Row::inputs, typename Problem::element_a, typename Problem::element_b>;
};
template <class First, class... Rows>
First first_row(type_list<First, Rows...>);
template <class Problem>
using policy_without_tma = typename decltype(first_row(rows_of<chosen_mma_rows<Problem>>{}))::policy;

/// Whether a row is chosen for what device memory has of a problem. Of products that differ wgmma leaves a few to one
/// other kernel: their bits would be those of its instruction.
template <class Choice, class Problem, class Row>
inline constexpr bool is_for_groups = [] {
  if constexpr (is_ragged_problem<Problem>) {
    return Row::groups != in_groups::none;
  } else if constexpr (is_grouped_problem<Problem> && Row::policy::info.op == math_op::wgmma) {
    return Row::groups == in_groups::all && !fixes_bits<Choice, Problem>;
  } else if constexpr (wgmma_loads_grouped<Problem> && arch::compiles_for_sm90_alone) {
    return std::is_same_v<typename Row::policy, policy_without_tma<Problem>>;
  }
  return true;
}();

/// The rows for a call of a policy that is_choice. Where nothing is compiled for other GPUs, without those that sm_90a
/// does not need.
template <class Choice, class Problem>
struct chosen_rows {
  template <class Row>
  static constexpr bool accepts =
      !(is_beaten_by_wgmma<Problem>(Row::policy::info.options) && arch::compiles_for_sm90_alone) &&
      accepts_inputs<typename Row::inputs, typename Problem::element_a, typename Problem::element_b> &&
      (Row::by == chosen_by::run ||
       Row::by == (Problem::storage::b == major::k ? chosen_by::run_k_major_b : chosen_by::run_mn_major_b) ||
       is_chosen_for_order<Choice, Problem, Row> ||
       (Row::by == chosen_by::run_block_scales && has_block_scales<Problem>) ||
       (Row::by == chosen_by::fp32_emulated && std::is_same_v<Choice, fp32_emulated>)) &&
      applies_scales<typename Row::policy, Problem> && computes<typename Row::policy, Problem> &&
      is_for_groups<Choice, Problem, Row> && keeps_order<Choice, Problem, Row>;
};
template <class Choice, class Problem, class... Rows>
candidate_list<candidate<policy_for<typename Rows::policy, Problem>, splits_for<Choice, Problem, Rows>>...>
    candidates_in(type_list<Rows...>);

/// What such a call chooses from.
template <class Choice, class Problem>
using candidates = decltype(candidates_in<Choice, Problem>(rows_of<chosen_rows<Choice, Problem>>{}));

}  // namespace gemm::detail
