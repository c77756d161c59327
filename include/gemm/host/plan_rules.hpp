// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that every plan keeps, whether a model, a tuning cache or the caller has made it.
#pragma once

#include <gemm/block/problem.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/host/policy_facts.hpp>
#include <gemm/host/repack_plan.cuh>
#include <gemm/host/split_plan.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Whether a problem can be launched on the current device as planned, given the workspace that the plan needs.
template <class Problem>
[[gnu::noinline]] status check_launches(policy_facts const& of, Problem const& p, repack_plan const& packing,
                                        split_plan const& split) {
  status result = of.repacks ? check_repack(p, packing) : status{};
  result = result ? check_slices<Problem>(split) : result;
  launch_facts facts = facts_of_launch(of, p);
  if (split.by == addition::cluster) {
    facts.needs_sm90a = "cluster_split_k";
  }
  return result ? check_launch(facts) : result;
}

}  // namespace gemm::detail
