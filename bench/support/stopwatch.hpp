// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times launches with CUDA events.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <vector>

#include "contender.hpp"
#include "cuda.hpp"
#include "workload.hpp"

namespace bench {

double median(std::vector<double> values);

/// How a contender is sampled: launches that together last about a millisecond, far above the events' resolution of
/// half a microsecond.
struct pace {
  int launches = 1;
  double host_seconds = 0;  ///< that the host took to enqueue the last sample
  bool waits = true;        ///< the device first waits for as long
};

/// Times on one stream, on which nothing else may be going on.
class stopwatch {
 public:
  explicit stopwatch(cudaStream_t stream);

  /// One sample: seconds of device time a launch. Unless the pace says otherwise, the device first waits for as long as
  /// the host took to enqueue the last sample, so that launches follow one another without the host's gaps, however
  /// short they are: what is timed is the kernels. while_busy is called with the launches enqueued.
  double sample(contender const& c, workload& w, pace& p, std::function<void()> const& while_busy = {}) const;

  /// Seconds that the host takes to enqueue a kernel that does nothing, in a queue that is not full: the least that a
  /// call can cost it.
  double bare_launch() const;

  /// The pace of a contender; warms it up.
  pace pace_of(contender const& c, workload& w) const;

  /// For products that take longer than the host's call: ten times as many launches a sample, and no wait before them,
  /// in which the device would cool.
  static pace sustained(pace p);

 private:
  cudaStream_t stream_;
  event begin_, end_;
  double clock_hertz_ = 0;
};

}  // namespace bench
