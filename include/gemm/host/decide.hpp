// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which policy runs when the caller names none: the one that tuning has found, else the one that the model prefers.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/host/choice.hpp>
#include <gemm/host/choose.hpp>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/compiled_kernel_of.hpp>
#include <gemm/host/device.hpp>
#include <gemm/host/heuristic.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/plan_rules.hpp>
#include <gemm/host/repack.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/host/tuned.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// A storage as tuning caches name it.
template <class Storage>
inline constexpr std::string_view storage_name = Storage::a == major::k ? (Storage::b == major::mn ? "nn" : "nt")
                                                                        : (Storage::b == major::mn ? "tn" : "tt");

/// Alignment is part of the key because it decides whether TMA and wide accesses can be used.
template <class Problem>
tuned_problem key_of(Problem const& p) {
  using input = typename Problem::input;
  constexpr int width = 16 / static_cast<int>(sizeof(input));
  return {.input = element_traits<input>::name,
          .output = element_traits<typename Problem::output>::name,
          .storage = storage_name<typename Problem::storage>,
          .aligned = allows_vectors<width>(p.a) && allows_vectors<width>(p.b),
          .m = p.m,
          .n = p.n,
          .k = p.k,
          .batch = p.batch_count};
}

/// The plan for a problem on the current device; null where there is none.
template <class Problem>
tuned_plan const* plan_of(Problem const& p) {
  if (int device = 0; !tuned_plans.empty() && current_device(device) == cudaSuccess) {
    return tuned_plans.find(device, key_of(p));
  }
  return nullptr;
}

/// Whether a plan means this candidate and can be followed: the policy is eligible, k can be cut so, the packed
/// operands and the slices fit into the workspace, and check_launches() passes.
template <class Problem>
[[gnu::cold, gnu::noinline]] bool follow(compiled_kernel const& of, splits const& how, tuned_plan const& plan,
                                         Problem const& p, std::size_t limit, choice& result) {
  slicing const wanted = slicing_of(plan);
  if ((plan.policy != of.name && plan.policy != of.direct_name) || (wanted.most > 1 && !how.has(wanted.by))) {
    return false;
  }
  repack_plan const packing = of.repacks ? plan_repack(of, p) : repack_plan{};
  split_plan const split = plan_split(of, p, wanted);
  bool const as_planned = split.slices == plan.slices && (split.by == addition::last_block) == plan.tail;
  if (!eligible(of, p, packing) || !as_planned || saturated_sum(packing.bytes, split.bytes) > limit ||
      !check_launches(of, p, packing, split)) {
    return false;
  }
  device_info device;
  static_cast<void>(current_device_info(device));
  choice followed = predict(of, p, split, packing, device);
  if (followed.policy != plan.policy) {
    return false;
  }
  result = followed;
  result.seconds = static_cast<double>(plan.nanoseconds) * 1e-9;
  result.source = choice_source::tuned;
  return true;
}

/// The policy that runs, by its index in the list: that of the problem's plan, or where there is none, or none that can
/// be followed, that of the model. Plans are for `automatic`: with fp32_emulated other policies may be faster.
template <class Choice, class... Policies, splits... Splits, class Problem>
status decide(candidate_list<candidate<Policies, Splits>...> list, Problem const& p, std::size_t limit, int& index,
              choice& best, prepacked_parts const& prepacked = {}) {
  if constexpr (std::is_same_v<Choice, automatic>) {
    if (tuned_plan const* const plan = plan_of(p); plan != nullptr) {
      index = 0;
      if (((follow(compiled_kernel_of<Policies, Problem>, Splits, *plan, p, limit, best) || (++index, false)) || ...)) {
        return {};
      }
    }
  }
  return choose(list, p, limit, index, best, prepacked);
}

}  // namespace gemm::detail
