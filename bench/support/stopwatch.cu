// SPDX-License-Identifier: BSL-1.0
//! @file
//! Samples of launches between two events.

#include "stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>

namespace bench {

namespace {

constexpr double sample_seconds = 1e-3;
constexpr int most_launches = 200;  // with a few kernels a launch below what a stream holds (1024) before it blocks
constexpr double longest_wait = 10e-3;

/// Keeps the stream busy; of a known length rather than until the host says so, which could not end under a profiler
/// that runs kernels one at a time.
__global__ void wait_kernel(long long cycles) {
  long long const begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

}  // namespace

double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) {
    return *middle;
  }
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

stopwatch::stopwatch(cudaStream_t stream) : stream_(stream), begin_(make_event()), end_(make_event()) {
  int device = 0, kilohertz = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device), "clock rate");
  clock_hertz_ = kilohertz * 1e3;
}

double stopwatch::sample(contender const& c, workload& w, pace& p, std::function<void()> const& while_busy) const {
  if (p.waits) {
    double const wait = std::min(p.host_seconds, longest_wait);
    launch(&wait_kernel, 1, 1, stream_, static_cast<long long>(wait * clock_hertz_));
  }
  auto const host_begin = std::chrono::steady_clock::now();
  require(cudaEventRecord(begin_.get(), stream_), "cudaEventRecord");
  for (int i = 0; i < p.launches; ++i) {
    gemm::status const status = c.run(w.next());
    if (!status) {
      throw failure(status.message());
    }
  }
  require(cudaEventRecord(end_.get(), stream_), "cudaEventRecord");
  p.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - host_begin).count();
  if (while_busy) {
    while_busy();
  }
  require(cudaEventSynchronize(end_.get()), "the launches that were timed");
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cudaEventElapsedTime");
  return milliseconds * 1e-3 / p.launches;
}

double stopwatch::bare_launch() const {
  constexpr int samples = 21;
  std::vector<double> seconds;
  for (int i = 0; i < samples; ++i) {
    require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    auto const begin = std::chrono::steady_clock::now();
    for (int launched = 0; launched < most_launches; ++launched) {
      launch(&wait_kernel, 1, 1, stream_, 0LL);
    }
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / most_launches);
  }
  require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  return median(seconds);
}

pace stopwatch::sustained(pace p) { return {.launches = std::min(10 * p.launches, most_launches), .waits = false}; }

pace stopwatch::pace_of(contender const& c, workload& w) const {
  pace p;
  double seconds = sample(c, w, p);
  if (seconds < sample_seconds / 2) {  // so short that the first launch says little
    p.launches = 10;
    seconds = sample(c, w, p);
  }
  double const launches = std::clamp(sample_seconds / std::max(seconds, 1e-7), 1.0, double{most_launches});
  p.host_seconds *= std::round(launches) / p.launches;
  p.launches = static_cast<int>(std::round(launches));
  return p;
}

}  // namespace bench
