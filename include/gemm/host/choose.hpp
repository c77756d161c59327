// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which policy runs when the caller names none: the one that a model of waves and bandwidth predicts to be fastest.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <gemm/host/device.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm {

/// Who has chosen: the model, or a plan that was tuned (gemm/tune.cuh).
enum class choice_source : unsigned char { model, tuned };

/// A policy, and what is known of it.
struct choice {
  std::string_view policy;  ///< its name()
  double seconds = 0;       ///< predicted time; measured, where it was tuned
  double waves = 0;         ///< how often its blocks fill the device
  int slices = 1;           ///< that k is cut into, as split_k does it
  choice_source source = choice_source::model;
};

namespace detail {

template <class... Policies>
struct policy_list {};

/// What run() chooses from, the largest tile first: for float operands that TMA may be able to bring, and for others.
using tma_candidates =
    policy_list<warp_specialized_128x128x32, warp_specialized_64x256x32, pipelined_64x128x16, pipelined_64x64x16,
                pipelined_32x64x32, pipelined_16x64x32, skinny_1x32x512, skinny_32x1x512>;
using plain_candidates = policy_list<pipelined_64x128x16, pipelined_64x64x16, pipelined_32x64x32, pipelined_16x64x32,
                                     skinny_1x32x512, skinny_32x1x512>;

/// Whether a candidate is for skinny products alone. It is not split: a single row gives it blocks enough.
template <class Policy>
inline constexpr bool is_skinny = requires {
  Policy::few;
};

template <class Problem>
using candidates =
    std::conditional_t<std::is_same_v<typename Problem::input, float> && Problem::storage::b == major::mn,
                       tma_candidates, plain_candidates>;

/// Whether a candidate may be chosen: by TMA or not at all, and with its few rows or columns in one tile.
template <class Policy, class Problem>
bool eligible(Problem const& p) {
  if constexpr (uses_tma<Policy>) {
    return has_sm90a_code() && loads_by_tma<Policy>(p);
  } else if constexpr (is_skinny<Policy>) {
    return Policy::few_rows ? p.m <= Policy::block_m : p.n <= Policy::block_n;
  } else {
    return true;
  }
}

/// Blocks of a policy that a multiprocessor of an H200 holds.
template <class Policy, class Problem>
inline constexpr int resident = [] {
  constexpr int by_memory =
      228 * 1024 / (static_cast<int>(Policy::template shared_bytes<typename Problem::accum>) + 1024);
  constexpr int by_registers = [] {
    if constexpr (requires { Policy::resident; }) {
      return Policy::resident;
    } else {
      return resident_blocks<Policy, Problem>;
    }
  }();
  return by_registers < by_memory ? by_registers : by_memory;
}();

template <class Policy, class Problem>
double blocks_of(Problem const& p) {
  return static_cast<double>(tiles(p.m, Policy::block_m)) * static_cast<double>(tiles(p.n, Policy::block_n)) *
         static_cast<double>(p.batch_count);
}

/// The model. Blocks come in waves of as many as the multiprocessors hold, and each multiprocessor works off its share
/// at the policy's efficiency: `efficiency_alone` a block, `efficiency` at most. The whole takes no less than moving A,
/// B and C once, and a launch; with k split, another launch and the slices' way through the L2 and back. Rates are an
/// H200's (128 multiply-adds a clock at 1.98 GHz, half as many in double and in integers; 4.3 TB/s); for the choice,
/// only their ratios matter.
template <class Policy, class Problem>
choice predict(Problem const& p, int multiprocessors, split_plan const& plan) {
  using accum = typename Problem::accum;
  constexpr double per_clock = std::is_integral_v<accum> ? 64 : 128 * 4 / sizeof(accum);
  constexpr double multiply_adds = 1.98e9 * per_clock, bandwidth = 4.3e12, l2_bandwidth = 3e12;
  constexpr double launch = 3.5e-6, second_launch = 2.5e-6;
  double const m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  double const depth = plan.slices > 1 ? static_cast<double>(plan.depth) : k;
  double const batch = static_cast<double>(p.batch_count);

  // Seconds that a multiprocessor takes for this many blocks at a time.
  auto const seconds_of = [&](double blocks) {
    double const together = blocks * Policy::efficiency_alone;
    double const efficiency = together < Policy::efficiency ? together : Policy::efficiency;
    return blocks * Policy::block_m * Policy::block_n * depth / (multiply_adds * efficiency);
  };
  double const blocks = blocks_of<Policy>(p) * plan.slices;
  double const slots = static_cast<double>(resident<Policy, Problem>) * multiprocessors;
  double const full_waves = static_cast<double>(static_cast<std::int64_t>(blocks / slots));
  auto const rest = static_cast<std::int64_t>(blocks - full_waves * slots);
  double const last = rest == 0 ? 0 : seconds_of(static_cast<double>(tiles(rest, multiprocessors)));
  double const arithmetic = full_waves * seconds_of(resident<Policy, Problem>) + last;
  double const memory = batch *
                        ((m * k + k * n) * sizeof(typename Problem::input) + m * n * sizeof(typename Problem::output)) /
                        bandwidth;
  double const addition = plan.slices > 1 ? second_launch + 2 * static_cast<double>(plan.bytes) / l2_bandwidth : 0;
  return {.policy = name<Policy>(),
          .seconds = launch + (arithmetic > memory ? arithmetic : memory) + addition,
          .waves = blocks / slots,
          .slices = plan.slices};
}

/// What fits into the caller's workspace: anything where there is none, because run() then takes its own.
inline std::size_t limit_of(workspace const& given) {
  return given.data == nullptr ? std::numeric_limits<std::size_t>::max() : given.bytes;
}

/// The best that a policy can do, forever where it is not eligible: with all of k, in 2, 4, 8, ... slices, or in as
/// many as fill the device once or twice.
template <class Policy, class Problem>
choice best_of(Problem const& p, int multiprocessors, std::size_t limit) {
  if (!eligible<Policy>(p)) {
    return {.policy = name<Policy>(), .seconds = std::numeric_limits<double>::infinity()};
  }
  choice best = predict<Policy>(p, multiprocessors, {});
  if constexpr (is_skinny<Policy>) {
    return best;
  }
  auto const try_slices = [&](int most) {
    split_plan const plan = plan_split<Policy>(p, most);
    if (plan.slices > 1 && plan.bytes <= limit) {
      choice const split = predict<Policy>(p, multiprocessors, plan);
      best = split.seconds < best.seconds ? split : best;
    }
  };
  double const places = static_cast<double>(resident<Policy, Problem>) * multiprocessors / blocks_of<Policy>(p);
  int const fill = places < 2048 ? static_cast<int>(places) : 2048;
  for (int slices = 2; slices < 2 * fill; slices *= 2) {
    try_slices(slices);
  }
  try_slices(fill);
  try_slices(2 * fill);
  return best;
}

/// The candidate with the shortest predicted time, where a smaller tile must promise 2 % less than a larger one: the
/// model knows nothing of caches, which prefer the larger.
template <class... Policies, class Problem>
status choose(policy_list<Policies...>, Problem const& p, std::size_t limit, int& index, choice& best) {
  int multiprocessors = 0;
  status result = device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount);
  if (result) {
    int candidate = 0;
    index = -1;
    for (choice const& c : {best_of<Policies>(p, multiprocessors, limit)...}) {
      if (index < 0 || c.seconds < 0.98 * best.seconds) {
        index = candidate;
        best = c;
      }
      ++candidate;
    }
  }
  return result;
}

/// action.operator()<Policy>() for the candidate of this index.
template <class... Policies, class Action>
status with_candidate(policy_list<Policies...>, int index, Action action) {
  status result;
  int candidate = 0;
  static_cast<void>(((candidate++ == index ? (result = action.template operator()<Policies>(), true) : false) || ...));
  return result;
}

}  // namespace detail

}  // namespace gemm
