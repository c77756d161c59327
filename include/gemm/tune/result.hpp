// SPDX-License-Identifier: BSL-1.0
//! @file
//! The options and the result of tune().
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm {

/// The options of tune(). The order of the members is part of the interface, as in options.
struct tune_options {
  cudaStream_t stream = nullptr;  ///< where everything is enqueued, on its device; tune() waits for it
  /// The workspace that candidates must fit into; by default each gets what it needs.
  gemm::workspace workspace{};
  /// The file that keeps the plan; by default that of the environment's GEMM_TUNING_CACHE, else none. The file keeps
  /// its mode, a symbolic link is followed, and an empty file becomes a cache.
  std::string cache{};
  /// Candidates are measured whose predicted time is at most this multiple of the shortest; at least 1.
  double within = 3;
  /// Samples of each candidate, interleaved, of which the median counts; at least 1. A sample has as many launches as
  /// take a millisecond, at least one.
  int repetitions = 9;
  /// Whether launches rotate through operands that are together twice as large as the L2, so that they are read from
  /// memory.
  bool rotate = true;
  /// Called after each step of `total`, for a progress bar.
  std::function<void(int step, int total)> progress{};
};

/// The measurement of a candidate: a policy and its split of k.
struct measurement {
  std::string policy;       ///< its name()
  int slices = 1;           ///< of k
  bool in_cluster = false;  ///< reduced in a cluster, as by cluster_split_k
  bool tail = false;        ///< of the last tiles alone, as by stream_k
  bool automatic = true;    ///< whether run() can choose it
  double predicted = 0;     ///< seconds, by the price; a rough guess for policies without measured rates
  double seconds = 0;       ///< the median, if the outcome is a success
  gemm::status outcome{};   ///< a failure: it was not launched, or its result was wrong
};

/// The result of tune(); true if candidates were measured and the cache, if there is one, keeps the plan of run().
struct tune_result {
  gemm::status status{};              ///< after a failure the cache is as it was
  std::vector<measurement> measured;  ///< the fastest first; failures at the end
  int followed = -1;                  ///< index of the one that run() now follows; -1: it can choose none
  std::string cache;                  ///< the file that keeps it; empty: none

  /// Whether the status is a success.
  explicit operator bool() const { return static_cast<bool>(status); }
};

}  // namespace gemm
