// SPDX-License-Identifier: BSL-1.0
//! @file
//! The candidates for a problem: policies, and their splits of k.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gemm/choose/best_plan.hpp>
#include <gemm/choose/call.cuh>
#include <gemm/choose/candidates.hpp>
#include <gemm/choose/plan.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/policy.hpp>
#include <gemm/tune/result.hpp>

namespace gemm::detail {

/// What is measured, its plan, and what enqueues that.
template <class Problem>
struct contender {
  measurement found;
  call_plan plan;
  enqueue_function<Problem> enqueue;
};

/// A candidate of run() has the splits of its row in the table. Other policies are split by a second kernel as far as
/// they can be; those with a number of slices have it.
template <class Policy, class List>
inline constexpr bool is_listed = false;
template <class Policy, class... Listed, splits... Splits>
inline constexpr bool is_listed<Policy, candidate_list<candidate<Listed, Splits>...>> =
    (std::is_same_v<Policy, Listed> || ...);
template <class Policy, class List>
inline constexpr splits splits_in{};
template <class Policy, class... Listed, splits... Splits>
inline constexpr splits splits_in<Policy, candidate_list<candidate<Listed, Splits>...>> = [] {
  if constexpr (Policy::info.slices.most > 1) {
    return splits_of(Policy::info.slices);
  } else if constexpr (is_listed<Policy, candidate_list<candidate<Listed, Splits>...>>) {
    splits result{};
    static_cast<void>(((std::is_same_v<Policy, Listed> ? (result = Splits, true) : false) || ...));
    return result;
  } else {
    return splits{.in_workspace = splits_k<Policy> && !Policy::info.is_skinny(), .streams = streams_k<Policy>};
  }
}();

/// Adds a policy of split terms, which cuts k as it must.
template <class Policy, class Problem>
requires splits_floats<Policy>
static void add_contenders(std::vector<contender<Problem>>& all, Problem const& p, device_info const& device,
                           std::size_t limit) {
  call_plan const plan = priced_terms<Policy>(p, device, {});
  if (plan.seconds < std::numeric_limits<double>::infinity() && plan.bytes <= limit) {
    all.push_back({measurement{.policy = std::string(name<Policy>()),
                               .slices = plan.launch.order.slices,
                               .automatic = false,
                               .predicted = plan.seconds},
                   plan, &enqueue_plan<Policy, splits{}, Problem>});
  }
}

/// Adds a policy with all of k, and as run() tries to cut it.
template <class Policy, class Problem>
static void add_contenders(std::vector<contender<Problem>>& all, Problem const& p, device_info const& device,
                           std::size_t limit) {
  using whole = whole_of<Policy>;
  using list = candidates<automatic, std::remove_const_t<Problem>>;
  call_plan const unsplit = plan_of_policy<whole>(p, {}, {});
  compiled_kernel const& kernel = *unsplit.kernel;
  std::size_t const first = all.size();
  auto const add_packed = [&](repack_plan const& packing) {
    if (!eligible(kernel, p, packing)) {
      return;
    }
    tables::policy_rates const& rates = rates_of(device, kernel);
    auto const add = [&](slicing const& wanted) {
      call_plan plan = unsplit;
      plan.packing = packing;
      try_split(plan, p, device, rates, plan_split(kernel, p, wanted));
      plan.lay_out();
      bool const known = std::any_of(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), [&](auto const& c) {
        return c.plan.split.slices == plan.split.slices && c.plan.split.mode == plan.split.mode &&
               c.plan.packing.bytes == plan.packing.bytes;
      });
      if (known || plan.bytes > limit) {
        return;
      }
      lay_out_launch(plan, p);
      // As run() names what it chooses: by the policy itself where nothing has to be packed.
      std::string_view const called =
          plan.packing.bytes > 0 || !repacks<Policy> ? name<Policy>() : name<direct<Policy>>();
      all.push_back({measurement{.policy = std::string(called),
                                 .slices = plan.split.slices,
                                 .in_cluster = plan.split.mode == reduction::cluster,
                                 .tail = plan.split.mode == reduction::last_arriver,
                                 .automatic = is_listed<Policy, list>,
                                 .predicted = plan.seconds},
                     plan, &enqueue_plan<whole, splits_in<Policy, list>, Problem>});
    };
    if constexpr (Policy::info.slices.most == 1) {
      for_each_slicing(kernel, splits_in<Policy, list>, p, device, add);
    } else {
      add(Policy::info.slices);
    }
  };
  add_packed(unsplit.packing);
  if (unsplit.packing.bytes > 0 && !kernel.uses_tma()) {
    add_packed({});
  }
}

template <class... Policies>
struct policy_list {};

/// The policies of a list, whether it says how they are split or not.
template <class... Policies>
policy_list<Policies...> policies_of(policy_list<Policies...>);
template <class... Policies, splits... Splits>
policy_list<Policies...> policies_of(candidate_list<candidate<Policies, Splits>...>);

/// The contenders that the model expects to take at most `within` times as long as the best of them.
template <class... Policies, class Problem>
static std::vector<contender<Problem>> contenders_of(policy_list<Policies...>, Problem const& p,
                                                     device_info const& device, std::size_t limit, double within) {
  std::vector<contender<Problem>> all;
  (add_contenders<Policies>(all, p, device, limit), ...);
  double best = std::numeric_limits<double>::infinity();
  for (contender<Problem> const& c : all) {
    best = (std::min)(best, c.found.predicted);
  }
  std::erase_if(all, [&](contender<Problem> const& c) { return c.found.predicted > within * best; });
  return all;
}

}  // namespace gemm::detail
