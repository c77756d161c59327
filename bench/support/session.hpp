// SPDX-License-Identifier: BSL-1.0
//! @file
//! What all benchmarks of a run share: the stream, the memory of the problem at hand, cuBLAS.
#pragma once

#include <cuda_runtime.h>

#include <exception>
#include <map>
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

/// A contender and how it is sampled.
struct paced {
  contender what;
  pace how = {};
};

/// Whom a subject is compared with, where there is one.
struct opponents {
  std::optional<paced> peer;  ///< cuBLAS's
  std::optional<paced> base;  ///< what the subject adds something to
};

/// The samples of one repetition. A sample of each opponent follows each of the subject; where they are sustained, all
/// of its samples follow all of the subject's.
struct measurement {
  std::vector<double> seconds;       ///< of a launch of the subject
  std::vector<double> peer_seconds;  ///< of the opponents; empty without one
  std::vector<double> base_seconds;
  std::vector<double> host_seconds;  ///< that the host took to enqueue a launch of the subject
  std::optional<reading> gauges =
      {};  ///< mean over the repetition, subject and opponents alike; sustained, the subject's
  bool sustained = false;

  /// An opponent's time over the subject's: the median over neighbours in time, which have one clock and one heat, or,
  /// sustained, the medians' ratio.
  double over_subject(std::vector<double> const& opponent_seconds) const;
};

class session {
 public:
  /// Takes the current device, and keeps cuBLAS busy on it for the seconds of --soak: clocks oscillate in the first.
  explicit session(options const& o);

  /// Makes this the problem at hand, with cuBLAS's ways to solve it where --peers is on; does nothing where it is
  /// already.
  void prepare(problem const& p);

  bench::workload& workload() { return *workload_; }

  /// The names of cuBLAS's contenders in a suite.
  static std::vector<std::string> peers_of(suite s);

  /// One of cuBLAS's contenders for the problem at hand. Throws `unsupported` or `failure` where there is none.
  contender const& peer(std::string const& name) const;

  /// How to sample a contender; warms it up.
  paced paced_of(contender const& c) { return {c, watch_.pace_of(c, *workload_)}; }

  /// Samples the subject and its opponents in turns, A B A B, for the seconds of --budget. With --warm, one after the
  /// other, each for half the budget after having worked for those seconds.
  measurement measure(paced& subject, opponents& others);

  bench::gauges const& gauges() const { return gauges_; }

  /// Seconds that the host takes for a launch of a kernel that does nothing.
  double bare_launch() const { return watch_.bare_launch(); }

 private:
  /// A contender, or why there is none.
  struct peer_or_error {
    contender what;
    std::exception_ptr error;
  };

  contender make_peer(std::string const& name);
  measurement measure_sustained(paced const& subject, opponents const& others);

  options options_;
  stream stream_;
  stopwatch watch_;
  cublas cublas_;
  bench::gauges gauges_;
  std::unique_ptr<bench::workload> workload_;
  std::map<std::string, peer_or_error> peers_;
};

}  // namespace bench
