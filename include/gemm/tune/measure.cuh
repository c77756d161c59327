// SPDX-License-Identifier: BSL-1.0
//! @file
//! Verifies candidates, then times those that are right, interleaved.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/choose/plan.hpp>
#include <gemm/kernel/coalesced.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/tune/candidates.cuh>
#include <gemm/tune/result.hpp>
#include <gemm/tune/workbench.cuh>

namespace gemm::detail {

class event {
 public:
  event() { error_ = cudaEventCreate(&event_); }
  event(event const&) = delete;
  event& operator=(event const&) = delete;
  ~event() {
    if (error_ == cudaSuccess) {
      static_cast<void>(cudaEventDestroy(event_));
    }
  }

  cudaEvent_t get() const { return event_; }
  cudaError_t error() const { return error_; }

 private:
  cudaEvent_t event_ = nullptr;
  cudaError_t error_;
};

/// Makes the reference: the product by the plainest rung with coalesced accesses.
template <class Problem>
static status make_reference(workbench<Problem> const& bench, cudaStream_t stream) {
  status result = bench.fill(operand_values::integers);
  result = result ? bench.clear_reference() : result;
  Problem const p = bench.reference();
  result = result ? check_launch<coalesced<block<32, 32>>>(p) : result;
  return result ? enqueue<coalesced<block<32, 32>>>(p, stream) : result;
}

/// Whether a candidate computes the reference, every element of it. Waits for the stream.
template <class Problem>
static status verify(contender<Problem> const& c, workbench<Problem> const& bench, gemm::workspace const& space,
                     cudaStream_t stream) {
  status result = bench.spoil_result();
  result = result ? check_plan(c.plan, bench.problem(0)) : result;
  result = result ? c.enqueue(bench.problem(0), c.plan, space.data, stream) : result;
  std::int64_t wrong = 0;
  result = result ? bench.count_wrong(wrong) : result;
  if (result && wrong > 0) {
    Problem const p = bench.problem(0);
    return {status_code::wrong_result,
            cudaSuccess,
            "%s, %d slices: %lld of %lld elements are not those of the reference",
            c.found.policy.c_str(),
            c.found.slices,
            static_cast<long long>(wrong),
            static_cast<long long>(p.m * p.n * p.batch_count)};
  }
  return result;
}

/// How a candidate is sampled.
struct pace {
  int launches = 1;
  double host_seconds = 0;  ///< that the host took to enqueue the last sample
};

/// Seconds a launch, of those that follow one another over the sets. The device first waits for as long as the host
/// took to enqueue the last sample, so that kernels are timed and not the host. Waits for the end.
template <class Problem>
static status sample(contender<Problem> const& c, workbench<Problem> const& bench, gemm::workspace const& space,
                     cudaStream_t stream, pace& pace, double& seconds) {
  constexpr double longest_stall = 10e-3;
  event const begin, end;
  status result = tuning_step(begin.error() != cudaSuccess ? begin.error() : end.error(), "making an event");
  result = result ? bench.stall((std::min)(pace.host_seconds, longest_stall)) : result;
  auto const host_begin = std::chrono::steady_clock::now();
  result = result ? tuning_step(cudaEventRecord(begin.get(), stream), "recording an event") : result;
  for (int i = 0; result && i < pace.launches; ++i) {
    result = c.enqueue(bench.problem(i % bench.sets()), c.plan, space.data, stream);
  }
  result = result ? tuning_step(cudaEventRecord(end.get(), stream), "recording an event") : result;
  pace.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - host_begin).count();
  result = result ? tuning_step(cudaEventSynchronize(end.get()), "a launch that was timed") : result;
  float milliseconds = 0;
  result =
      result ? tuning_step(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "reading an event") : result;
  seconds = static_cast<double>(milliseconds) * 1e-3 / pace.launches;
  return result;
}

inline double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Verifies all candidates and times those that pass; what is found is in them. A failure of the device as a whole ends
/// it.
template <class Problem>
static status measure(std::vector<contender<Problem>>& all, workbench<Problem> const& bench,
                      gemm::workspace const& space, tune_options const& opts) {
  constexpr double sample_seconds = 1e-3;  // far above the events' resolution of half a microsecond
  constexpr int most_launches = 200;
  int step = 0;
  int const steps = static_cast<int>(all.size()) * (opts.repetitions + 1);
  auto const report = [&] {
    ++step;
    if (opts.progress) {
      opts.progress(step, steps);
    }
  };
  status result = make_reference(bench, opts.stream);
  for (contender<Problem>& c : all) {
    if (!result) {
      return result;
    }
    c.found.outcome = verify(c, bench, space, opts.stream);
    // An error that the context keeps, such as an illegal address, meets every call that follows.
    result = tuning_step(cudaStreamSynchronize(opts.stream), c.found.policy.c_str());
    report();
  }
  result = result ? bench.fill(operand_values::reals) : result;

  struct series {
    detail::pace pace;
    std::vector<double> seconds;
  };
  std::vector<series> timed(all.size());
  for (int repetition = -1; repetition < opts.repetitions; ++repetition) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      contender<Problem>& c = all[i];
      series& s = timed[i];
      if (!result) {
        return result;
      }
      if (c.found.outcome) {
        double seconds = 0;
        c.found.outcome = sample(c, bench, space, opts.stream, s.pace, seconds);
        if (repetition >= 0) {
          s.seconds.push_back(seconds);
        } else {  // the warm-up says how many launches take long enough
          double const wanted = sample_seconds / (std::max)(seconds, 1e-7);
          int const launches = static_cast<int>(std::clamp(wanted, 1.0, double{most_launches}));
          s.pace.host_seconds *= static_cast<double>(launches) / s.pace.launches;
          s.pace.launches = launches;
        }
      }
      if (repetition >= 0) {
        report();
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].found.outcome) {
      all[i].found.seconds = median(timed[i].seconds);
    }
  }
  return result;
}

}  // namespace gemm::detail
