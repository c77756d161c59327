// SPDX-License-Identifier: BSL-1.0
//! @file
//! What tune() takes besides the views, and what it has found.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm {

/// What tune() takes besides the views. The order of the members is part of the interface, as in options.
struct tune_options {
  cudaStream_t stream = nullptr;  ///< where everything is enqueued; tune() waits for it
  /// What the slices of k have to fit into; without one, each candidate gets what it needs.
  gemm::workspace workspace{};
  /// The file that keeps the plan; without one that of the environment's GEMM_TUNING_CACHE, and else none. It keeps its
  /// mode, through a symbolic link it is the link's target, and an empty file becomes a cache.
  std::string cache{};
  /// How many times the shortest predicted time the model may expect of a candidate that is measured, at least 1.
  double within = 3;
  /// Samples of each candidate, taken in turns, of which the median counts: at least 1. A sample is one launch, or as
  /// many as take a millisecond.
  int repetitions = 9;
  /// Whether launches go round operands that together are twice as large as the L2, so that they are read from memory;
  /// else they are where the last launch has left them.
  bool rotate = true;
  /// Called after each step of `total`, for a progress bar.
  std::function<void(int step, int total)> progress{};
};

/// What was found of a candidate: a policy and the slices it cuts k into.
struct measurement {
  std::string policy;       ///< its name()
  int slices = 1;           ///< that k is cut into
  bool in_cluster = false;  ///< and added as cluster_split_k does it
  bool tail = false;        ///< for the last tiles alone, as stream_k does it
  bool automatic = true;    ///< whether run() without a policy can choose it
  double predicted = 0;     ///< seconds, by the model; for policies that it does not know a rough guess
  double seconds = 0;       ///< the median, for those without a failure
  gemm::status outcome{};   ///< why it is not in the running: not launched, or a wrong result
};

/// What tune() has found; true if it has found a policy, and kept it where it was to.
struct tune_result {
  gemm::status status{};              ///< of a failure nothing is kept; `followed` says whether run() follows any
  std::vector<measurement> measured;  ///< the fastest first; at the end what failed
  int followed = -1;                  ///< the one that run() follows from now on; -1 if it can choose none of them
  std::string cache;                  ///< the file that has it now; empty if none

  explicit operator bool() const { return static_cast<bool>(status); }
};

}  // namespace gemm
