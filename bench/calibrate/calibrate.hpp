// SPDX-License-Identifier: BSL-1.0
//! @file
//! From the times of candidates to a GPU's table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gemm/tables/rates.hpp>

namespace bench {

/// A line of gemm_candidates.
struct measurement {
  std::string input, storage;
  long long m = 0, n = 0, k = 0, batch = 0;
  std::string policy;  ///< repacked<...> where operands were packed
  int slices = 1;
  bool in_cluster = false, stream_k = false;
  double seconds = 0;
  bool held_out = false;  ///< not solved for, only judged by
};

/// What was measured, and on what: the fields of the comment at a file's head.
struct measured_gpu {
  std::string name, origin;  ///< origin: driver, date, commit
  int major = 0, minor = 0, multiprocessors = 0, shared_per_multiprocessor = 0, shared_reserved = 0;
  double clock = 0, bandwidth = 0;
};

/// A policy's rates, and the names of those that the measurements do not tell: they are about what they began with.
struct solved_policy {
  std::string policy;
  gemm::tables::policy_rates rates{};  ///< without names
  std::vector<std::string> unknown;
};

struct solution {
  std::string input;  ///< as the library calls it
  std::vector<solved_policy> policies;
  gemm::tables::device_rates device{};
  std::vector<std::string> unknown;  ///< of the device's rates
  double error = 0;   ///< standard deviation of log(price / measured), of plans within 10 % of the fastest
  double regret = 1;  ///< geometric mean of the time of the cheapest plan over that of the fastest
  double held_out_regret = 1, held_out_worst = 1;
  std::size_t products = 0, held_out_products = 0, measurements = 0;
  std::vector<std::string> choices;  ///< of the products held out, the dearest first: what is chosen, and the fastest
};

/// For measurements of one element type, the rates by which the library's price_of() is nearest to the times: robust
/// least squares of log(price / measured) by Levenberg and Marquardt, every rate held near where it begins.
solution solve(std::vector<measurement> const& measured, measured_gpu const& gpu, int steps);

}  // namespace bench
