// SPDX-License-Identifier: BSL-1.0
//! @file
//! A row of the table of named policies.
#pragma once

#include <gemm/launch/split_plan.cuh>

namespace gemm::detail {

/// Who chooses a row: nobody, run() for any storage or for one of B's majors, run() for a long k of float results or
/// for scales of blocks alone, or besides run()'s fp32_emulated, or batch_invariant.
enum class chosen_by : unsigned char {
  nobody,
  run,
  run_k_major_b,
  run_mn_major_b,
  run_long_k,
  run_block_scales,
  fp32_emulated,
  batch_invariant
};

/// k whole, or also in slices: of a workspace, which a second kernel adds, of a cluster, or of either.
inline constexpr splits whole_k{}, workspace_slices{.in_workspace = true}, cluster_slices{.in_cluster = true},
    any_slices{.in_workspace = true, .in_cluster = true};

/// Whether a row is chosen for ragged rows, too, and for grouped views: each is a kernel more in every such call.
enum class in_groups : unsigned char { none, ragged, all };
inline constexpr in_groups not_in_groups = in_groups::none, not_of_views = in_groups::ragged;

/// A named policy, the element types of A and of B that the row is for, who chooses it, how it may then split k, and
/// for which groups. What GPU it needs says its info.
template <class Policy, class Inputs, chosen_by By = chosen_by::nobody, splits Splits = splits{},
          in_groups Groups = in_groups::all>
struct kernel_row {
  static_assert((!Splits.in_workspace || Policy::info.reductions.workspace) &&
                (!Splits.in_cluster || Policy::info.reductions.cluster));
  using policy = Policy;
  using inputs = Inputs;
  static constexpr chosen_by by = By;
  static constexpr splits split = Splits;
  static constexpr in_groups groups = Groups;
};
template <class... Rows>
struct kernel_rows {};

}  // namespace gemm::detail
