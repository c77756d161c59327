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

/// A policy's rates in one class of operands.
struct solved_rates {
  std::string policy, input;
  int operands = 0;
  gemm::tables::kernel_rates rates{};
  std::size_t measurements = 0;
};

struct solution {
  std::vector<solved_rates> rates;
  gemm::tables::device_rates device{};
  double regret = 1;  ///< geometric mean of the time of the cheapest plan over that of the fastest
  double held_out_regret = 1;
  std::size_t products = 0;
};

/// Rates such that the cheapest of a problem's plans is about as fast as the fastest: descends on the expected regret
/// and on the error of the predicted times, of which those near the fastest count most.
solution solve(std::vector<measurement> const& measured, measured_gpu const& gpu, int steps);

}  // namespace bench
