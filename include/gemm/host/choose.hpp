// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which policy runs when the caller names none: the one that a model of waves and bandwidth predicts to be fastest.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gemm/host/device.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm {

/// A policy, and what the model thinks of it.
struct choice {
  std::string_view policy;  ///< its name()
  double seconds = 0;       ///< predicted time of the kernel
  double waves = 0;         ///< how often its blocks fill the device
};

namespace detail {

template <class... Policies>
struct policy_list {};

/// What run() chooses from, the largest tile first.
using candidates = policy_list<pipelined_64x128x16, pipelined_64x64x16, pipelined_32x64x32, pipelined_16x64x32>;

/// The model. Blocks come in waves of as many as the multiprocessors hold, and each multiprocessor works off its share
/// at the policy's efficiency: `efficiency_alone` a block, `efficiency` at most. The whole takes no less than moving A,
/// B and C once, and a launch. Rates are an H200's (128 multiply-adds a clock at 1.98 GHz, half as many in double and
/// in integers; 4.3 TB/s; 3.5 us); for the choice, only their ratios matter.
template <class Policy, class Problem>
choice predict(Problem const& p, int multiprocessors) {
  using accum = typename Problem::accum;
  constexpr double per_clock = std::is_integral_v<accum> ? 64 : 128 * 4 / sizeof(accum);
  constexpr double multiply_adds = 1.98e9 * per_clock, bandwidth = 4.3e12;
  constexpr double launch = 3.5e-6;
  constexpr int by_memory = 228 * 1024 / (static_cast<int>(Policy::template shared_bytes<accum>) + 1024);
  constexpr int by_registers = resident_blocks<Policy, Problem>;
  constexpr int resident = by_registers < by_memory ? by_registers : by_memory;
  double const m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  double const batch = static_cast<double>(p.batch_count);

  // Seconds that a multiprocessor takes for this many blocks at a time.
  auto const seconds_of = [&](double blocks) {
    double const together = blocks * Policy::efficiency_alone;
    double const efficiency = together < Policy::efficiency ? together : Policy::efficiency;
    return blocks * Policy::block_m * Policy::block_n * k / (multiply_adds * efficiency);
  };
  double const blocks =
      static_cast<double>(tiles(p.m, Policy::block_m)) * static_cast<double>(tiles(p.n, Policy::block_n)) * batch;
  double const slots = static_cast<double>(resident) * multiprocessors;
  double const full_waves = static_cast<double>(static_cast<std::int64_t>(blocks / slots));
  auto const rest = static_cast<std::int64_t>(blocks - full_waves * slots);
  double const last = rest == 0 ? 0 : seconds_of(static_cast<double>(tiles(rest, multiprocessors)));
  double const arithmetic = full_waves * seconds_of(resident) + last;
  double const memory = batch *
                        ((m * k + k * n) * sizeof(typename Problem::input) + m * n * sizeof(typename Problem::output)) /
                        bandwidth;
  return {.policy = name<Policy>(),
          .seconds = launch + (arithmetic > memory ? arithmetic : memory),
          .waves = blocks / slots};
}

/// The candidate with the shortest predicted time, where a smaller tile must promise 2 % less than a larger one: the
/// model knows nothing of caches, which prefer the larger.
template <class... Policies, class Problem>
status choose(policy_list<Policies...>, Problem const& p, int& index, choice& best) {
  int multiprocessors = 0;
  status result = device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount);
  if (result) {
    int candidate = 0;
    index = -1;
    for (choice const& c : {predict<Policies>(p, multiprocessors)...}) {
      if (index < 0 || c.seconds < 0.98 * best.seconds) {
        index = candidate;
        best = c;
      }
      ++candidate;
    }
  }
  return result;
}

/// action.operator()<Policy>(p) for the candidate of this index.
template <class... Policies, class Problem, class Action>
status with_candidate(policy_list<Policies...>, int index, Problem const& p, Action action) {
  status result;
  int candidate = 0;
  static_cast<void>(((candidate++ == index ? (result = action.template operator()<Policies>(p), true) : false) || ...));
  return result;
}

}  // namespace detail

}  // namespace gemm
