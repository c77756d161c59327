// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which policy runs when the caller names none: the one that a model of waves and bandwidth predicts to be fastest.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>

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

/// The model. A multiprocessor works off its blocks at the policy's efficiency, and no faster than 192 threads would
/// where it has fewer; blocks come in waves, the last of which may leave multiprocessors with fewer blocks than the
/// others. The whole takes no less than moving A, B and C once. Rates are an H200's (1.98 GHz, 128 multiply-adds a
/// clock, 4.3 TB/s): only their ratio decides.
template <class Policy, class Problem>
choice predict(Problem const& p, int multiprocessors) {
  constexpr double multiply_adds = 1.98e9 * 128 * 4 / sizeof(typename Problem::accum), bandwidth = 4.3e12;
  constexpr int resident = resident_blocks<Policy, Problem>;
  constexpr double least = 192.0 / Policy::threads;  // blocks that keep a multiprocessor busy
  double const m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  double const batch = static_cast<double>(p.batch_count);

  double const block_seconds = double{Policy::block_m} * Policy::block_n * k / (multiply_adds * Policy::efficiency);
  double const blocks =
      static_cast<double>(tiles(p.m, Policy::block_m)) * static_cast<double>(tiles(p.n, Policy::block_n)) * batch;
  double const slots = static_cast<double>(resident) * multiprocessors;
  double const full_waves = static_cast<double>(static_cast<std::int64_t>(blocks / slots));
  auto const rest = static_cast<std::int64_t>(blocks - full_waves * slots);
  double const busiest = static_cast<double>(tiles(rest, multiprocessors));  // blocks of one multiprocessor
  double const last = busiest == 0 || busiest > least ? busiest : least;
  double const arithmetic = block_seconds * (full_waves * resident + last);

  double const bytes = batch * (m * k + k * n + m * n) * sizeof(typename Problem::input);
  double const memory = bytes / bandwidth;
  return {.policy = name<Policy>(), .seconds = arithmetic > memory ? arithmetic : memory, .waves = blocks / slots};
}

/// The candidate with the shortest predicted time; among equals the first.
template <class... Policies, class Problem>
status choose(policy_list<Policies...>, Problem const& p, int& index, choice& best) {
  int multiprocessors = 0;
  status result = device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount);
  if (result) {
    int candidate = 0;
    index = -1;
    for (choice const& c : {predict<Policies>(p, multiprocessors)...}) {
      if (index < 0 || c.seconds < best.seconds) {
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
