// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which policies, with which slices of k, are worth measuring for a problem.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gemm/host/call.cuh>
#include <gemm/host/choose.hpp>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/compiled_kernel_of.hpp>
#include <gemm/host/heuristic.hpp>
#include <gemm/host/repack.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/tune/result.hpp>

namespace gemm::detail {

template <class Problem>
struct contender {
  measurement found;
  std::size_t workspace_bytes;
  status (*run)(Problem const&, slicing const&, workspace const&, cudaStream_t);
};

/// What run() chooses from has the splits that it is listed with; other policies are split as they can be by a second
/// kernel, and those that are for so many slices as they say.
template <class Policy, class List>
inline constexpr bool is_listed = false;
template <class Policy, class... Listed, splits... Splits>
inline constexpr bool is_listed<Policy, candidate_list<candidate<Listed, Splits>...>> =
    (std::is_same_v<Policy, Listed> || ...);
template <class Policy, class List>
inline constexpr splits splits_in{};
template <class Policy, class... Listed, splits... Splits>
inline constexpr splits splits_in<Policy, candidate_list<candidate<Listed, Splits>...>> = [] {
  constexpr slicing fixed = Policy::info.slices;
  if constexpr (fixed.most > 1) {
    return splits_of(fixed);
  } else if constexpr (is_listed<Policy, candidate_list<candidate<Listed, Splits>...>>) {
    splits result{};
    static_cast<void>(((std::is_same_v<Policy, Listed> ? (result = Splits, true) : false) || ...));
    return result;
  } else {
    return splits{.in_workspace = splits_k<Policy> && !Policy::info.is_skinny(), .streams = streams_k<Policy>};
  }
}();

template <class Policy, splits Splits, class Problem>
status run_contender(Problem const& p, slicing const& slices, workspace const& space, cudaStream_t stream) {
  return check_and_enqueue{space, stream}.template operator()<Policy, Splits>(p, slices);
}

/// Adds a policy with all of k, and as run() tries to cut it.
template <class Policy, class Problem>
void add_contenders(std::vector<contender<Problem>>& all, Problem const& p, int multiprocessors, std::size_t limit) {
  using whole = whole_of<Policy>;
  using list = candidates<automatic, std::remove_const_t<Problem>>;
  constexpr slicing fixed = Policy::info.slices;
  constexpr splits splits = splits_in<Policy, list>;
  compiled_kernel const& of = compiled_kernel_of<whole, Problem>;
  repack_plan const packing = of.repacks ? plan_repack(of, p) : repack_plan{};
  if (!eligible(of, p, packing)) {
    return;
  }
  std::size_t const first = all.size();
  device_info device;
  static_cast<void>(current_device_info(device));
  auto const add = [&](slicing const& wanted) {
    split_plan const split = wanted.most > 1 ? plan_split(of, p, wanted) : split_plan{};
    std::size_t const bytes = saturated_sum(packing.bytes, split.bytes);
    bool const known = std::any_of(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), [&](auto const& c) {
      return c.found.slices == split.slices && slicing_of(c.found).by == split.by;
    });
    if (known || bytes > limit) {
      return;
    }
    choice const predicted = predict(of, p, split, packing, device);
    // As run() names what it chooses: by the policy itself where nothing has to be packed.
    std::string_view const called = packing.bytes > 0 || !repacks<Policy> ? name<Policy>() : name<direct<Policy>>();
    all.push_back({measurement{.policy = std::string(called),
                               .slices = split.slices,
                               .in_cluster = split.by == addition::cluster,
                               .tail = split.by == addition::last_block,
                               .automatic = is_listed<Policy, list>,
                               .predicted = predicted.seconds},
                   bytes, &run_contender<whole, splits, Problem>});
  };
  add(fixed);
  if constexpr (fixed.most == 1) {
    for_each_slicing(of, splits, p, multiprocessors, add);
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
std::vector<contender<Problem>> contenders_of(policy_list<Policies...>, Problem const& p, int multiprocessors,
                                              std::size_t limit, double within) {
  std::vector<contender<Problem>> all;
  (add_contenders<Policies>(all, p, multiprocessors, limit), ...);
  double best = std::numeric_limits<double>::infinity();
  for (contender<Problem> const& c : all) {
    best = (std::min)(best, c.found.predicted);
  }
  std::erase_if(all, [&](contender<Problem> const& c) { return c.found.predicted > within * best; });
  return all;
}

}  // namespace gemm::detail
