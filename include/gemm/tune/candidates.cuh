// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which policies, with which slices of k, are worth measuring for a problem.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gemm/host/call.cuh>
#include <gemm/host/choose.hpp>
#include <gemm/host/split_k.cuh>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/tune/result.hpp>

namespace gemm::detail {

template <class Problem>
struct candidate {
  measurement found;
  std::size_t workspace_bytes;
  status (*run)(Problem const&, int slices, workspace const&, cudaStream_t);
};

template <class Policy, class List>
inline constexpr bool is_listed = false;
template <class Policy, class... Listed>
inline constexpr bool is_listed<Policy, policy_list<Listed...>> = (std::is_same_v<Policy, Listed> || ...);

/// A policy as the model is to see it that has no figures for it: as good as a middling candidate.
template <class Policy>
struct assumed : Policy {
  static constexpr double efficiency = 0.75, efficiency_alone = 0.5;
};
template <class Policy>
requires requires { Policy::efficiency; }
struct assumed<Policy> : Policy {};

template <class Policy, bool Splits, class Problem>
status run_candidate(Problem const& p, int slices, workspace const& space, cudaStream_t stream) {
  return check_and_enqueue{space, stream}.template operator()<Policy, Splits>(p, slices);
}

/// Adds a policy with all of k, and with every number of slices up to twice what fills the device: powers of two, and
/// those that fill it once and twice.
template <class Policy, class Problem>
void add_candidates(std::vector<candidate<Problem>>& all, Problem const& p, int multiprocessors, std::size_t limit) {
  using whole = typename split_of<Policy>::whole;
  if (!eligible<whole>(p)) {
    return;
  }
  constexpr bool cut = split_of<Policy>::slices > 1, splits = splits_k<whole> && (cut || !is_skinny<whole>);
  auto const add = [&](int most) {
    split_plan const plan = splits && most > 1 ? plan_split<whole>(p, most) : split_plan{};
    bool const new_one = all.empty() || all.back().found.policy != name<Policy>() ||
                         std::none_of(all.begin(), all.end(), [&](candidate<Problem> const& c) {
                           return c.found.policy == name<Policy>() && c.found.slices == plan.slices;
                         });
    if (new_one && plan.bytes <= limit) {
      all.push_back({{.policy = std::string(name<Policy>()),
                      .slices = plan.slices,
                      .automatic = is_listed<Policy, candidates<std::remove_const_t<Problem>>>,
                      .predicted = predict<assumed<whole>>(p, multiprocessors, plan).seconds},
                     plan.bytes,
                     &run_candidate<whole, splits, Problem>});
    }
  };
  add(split_of<Policy>::slices);
  if constexpr (splits && !cut) {
    double const places = static_cast<double>(resident<whole, Problem>) * multiprocessors / blocks_of<whole>(p);
    int const fill = places < 2048 ? static_cast<int>(places) : 2048;
    for (int slices = 2; slices <= 2 * fill; slices *= 2) {
      add(slices);
    }
    add(fill);
    add(2 * fill);
  }
}

/// The candidates that the model expects to take at most `within` times as long as the best of them.
template <class... Policies, class Problem>
std::vector<candidate<Problem>> candidates_of(policy_list<Policies...>, Problem const& p, int multiprocessors,
                                              std::size_t limit, double within) {
  std::vector<candidate<Problem>> all;
  (add_candidates<Policies>(all, p, multiprocessors, limit), ...);
  double best = std::numeric_limits<double>::infinity();
  for (candidate<Problem> const& c : all) {
    best = std::min(best, c.found.predicted);
  }
  std::erase_if(all, [&](candidate<Problem> const& c) { return c.found.predicted > within * best; });
  return all;
}

}  // namespace gemm::detail
