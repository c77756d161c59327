// SPDX-License-Identifier: BSL-1.0
//! @file
//! What all benchmarks of a run share: the stream, the memory of the problem at hand, cuBLAS.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contender.hpp"
#include "cublas.hpp"
#include "cuda.hpp"
#include "gauges.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "stopwatch.hpp"
#include "workload.hpp"

namespace bench {

/// The samples of one repetition. A sample of the peer follows each of the subject.
struct measurement {
  std::vector<double> seconds;         ///< of a launch of the subject
  std::vector<double> peer_seconds;    ///< empty without a peer
  std::optional<reading> gauges = {};  ///< mean over the repetition, subject and peer alike
};

class session {
 public:
  /// Takes the current device, and keeps cuBLAS busy on it for the seconds of --soak: clocks oscillate in the first.
  explicit session(options const& o);

  /// Makes this the problem at hand; does nothing where it is already.
  void prepare(problem const& p);

  bench::workload const& workload() const { return *workload_; }
  contender const& cublas_default() const { return cublas_default_; }

  /// The peer that all are compared with; without a run where there is none, and where --peers=off.
  contender const& cublaslt_best() const { return cublaslt_best_; }

  /// How to sample the subject; warms it up.
  pace pace_of(contender const& subject) { return watch_.pace_of(subject, *workload_); }

  /// Samples the subject and the best of cublasLt in turns, A B A B, for the seconds of --budget.
  measurement measure(contender const& subject, pace& subjects);

  bench::gauges const& gauges() const { return gauges_; }

 private:
  options options_;
  stream stream_;
  stopwatch watch_;
  cublas cublas_;
  bench::gauges gauges_;
  std::unique_ptr<bench::workload> workload_;
  contender cublas_default_, cublaslt_best_;
  pace peers_;  // of cublaslt_best_
};

}  // namespace bench
