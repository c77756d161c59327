// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a call does besides one launch: packing, parts, slices, and the rules that all of it must keep.
#pragma once

#include <cstddef>

#include <gemm/emulation/enqueue_equilibrated.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/host/compiled_kernel_of.hpp>
#include <gemm/host/kernel_table.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/plan_rules.hpp>
#include <gemm/host/repack.cuh>
#include <gemm/host/split_plan.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// What is done besides one launch of the policy's kernel. The workspace has the packed operands or their parts, then
/// the slices.
struct call_plan {
  repack_plan packing;
  fp16x3_plan parts;
  split_plan split;

  std::size_t bytes() const { return saturated_sum(saturated_sum(packing.bytes, parts.bytes), split.bytes); }
};

template <class Policy, splits Splits, class Problem>
call_plan plan_call(Problem const& p, slicing const& slices, prepacked_parts const& prepacked) {
  call_plan plan;
  if constexpr (repacks<Policy>) {
    plan.packing = plan_repack(compiled_kernel_of<Policy, Problem>, p);
  }
  if constexpr (splits_floats<Policy>) {
    plan.parts = plan_fp16x3<typename Policy::parts>(p, prepacked);
    if constexpr (balances<Policy>) {
      plan_balance(plan.parts, p.k);
    }
  }
  if constexpr (Splits.in_workspace || Splits.in_cluster || Splits.streams) {
    plan.split = plan_split(compiled_kernel_of<Policy, Problem>, p, slices);
  }
  return plan;
}

/// Whether a plan can be followed, short of its workspace and of the launches themselves.
template <class Policy, class Problem>
status check_plan(Problem const& p, call_plan const& plan) {
  status result;
  if constexpr (splits_floats<Policy>) {
    result = check_fp16x3<typename Policy::parts>(p, plan.parts);
  }
  if constexpr (checks_bound<Policy>) {
    result = result ? check_launch<typename Policy::otherwise>(p) : result;
  }
  return result ? check_launches(compiled_kernel_of<Policy, Problem>, p, plan.packing, plan.split) : result;
}

}  // namespace gemm::detail
