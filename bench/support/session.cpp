// SPDX-License-Identifier: BSL-1.0
//! @file
//! Prepares problems and takes samples.

#include "session.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "floor.hpp"

namespace bench {

namespace {

using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point begin) { return std::chrono::duration<double>(steady::now() - begin).count(); }

/// Reads the gauges while the device is busy, but seldom: a reading takes as long as a sample.
class gauge_log {
 public:
  explicit gauge_log(gauges const& source) : source_(source) {}

  void read_now_and_then() {
    if (count_ > 0 && seconds_since(last_) < 0.1) {
      return;
    }
    if (std::optional<reading> const r = source_.read()) {
      sum_.sm_megahertz += r->sm_megahertz;
      sum_.watts += r->watts;
      ++count_;
    }
    last_ = steady::now();
  }

  std::optional<reading> mean() const {
    if (count_ == 0) {
      return {};
    }
    return reading{.sm_megahertz = sum_.sm_megahertz / count_, .watts = sum_.watts / count_};
  }

 private:
  gauges const& source_;
  reading sum_{0, 0};
  int count_ = 0;
  steady::time_point last_{};
};

}  // namespace

double measurement::over_subject(std::vector<double> const& opponent_seconds) const {
  if (sustained) {
    return median(opponent_seconds) / median(seconds);
  }
  std::vector<double> ratios;
  std::transform(opponent_seconds.begin(), opponent_seconds.end(), seconds.begin(), std::back_inserter(ratios),
                 std::divides<>());
  return median(ratios);
}

session::session(options const& o)
    : options_(o),
      stream_(make_stream()),
      watch_(stream_.get()),
      cublas_(stream_.get()),
      gauges_(current_pci_bus_id()) {
  if (o.soak > 0) {
    bench::workload w({.dtype = "f32", .m = 4096, .n = 4096, .k = 4096, .kind = {}}, stream_.get());
    contender const work = cublas_.default_algorithm(w.problem());
    pace p;
    for (auto const begin = steady::now(); seconds_since(begin) < o.soak;) {
      watch_.sample(work, w, p);
    }
  }
}

std::vector<std::string> session::peers_of(suite s) {
  if (s == suite::policies) {
    return {"cublas_default", "cublaslt_best"};
  }
  if (s == suite::few_rows) {
    return {"cublas_default", "cublaslt_best", floor_name, early_floor_name};
  }
  if (s == suite::epilogues) {
    return {"cublaslt_none", "cublaslt_bias", "cublaslt_bias_relu"};
  }
  std::vector<std::string> result;
  for (auto const& [name, scales] : scaled_names) {
    result.push_back(of_cublaslt(name));
  }
  return result;
}

contender session::make_peer(std::string const& name) {
  if (name == "cublas_default") {
    return cublas_.default_algorithm(workload_->problem());
  }
  if (name == floor_name || name == early_floor_name) {
    return floor_of_reading(name, name == early_floor_name, *workload_, watch_);
  }
  auto const epilogue = name == "cublaslt_bias"        ? cublas::fused::bias
                        : name == "cublaslt_bias_relu" ? cublas::fused::bias_relu
                        : name == "cublaslt_amax"      ? cublas::fused::amax
                                                       : cublas::fused::nothing;
  auto const named = std::find_if(std::begin(scaled_names), std::end(scaled_names),
                                  [&](auto const& known) { return name == of_cublaslt(known.first); });
  scaling const scales = named == std::end(scaled_names) ? scaling::none : named->second;
  return cublas_.best_algorithm(name, epilogue, scales, *workload_, watch_);
}

void session::prepare(problem const& p) {
  if (workload_ && workload_->problem().name() == p.name()) {
    return;
  }
  workload_.reset();  // before the next one is allocated
  peers_.clear();
  workload_ = std::make_unique<bench::workload>(p, stream_.get());
  if (options_.peers) {
    for (std::string const& name : peers_of(options_.suite)) {
      try {
        peers_[name] = {.what = make_peer(name), .error = nullptr};
      } catch (std::runtime_error const&) {  // `unsupported` or `failure`: its own row says so
        peers_[name] = {.what = {}, .error = std::current_exception()};
      }
    }
  }
}

contender const& session::peer(std::string const& name) const {
  auto const found = peers_.find(name);
  if (found == peers_.end()) {
    throw unsupported("cuBLAS is not measured");
  }
  if (found->second.error) {
    std::rethrow_exception(found->second.error);
  }
  return found->second.what;
}

measurement session::measure_sustained(paced const& subject, opponents const& others) {
  measurement result;
  result.sustained = true;
  auto const work = [&](paced p, double seconds, auto const& take) {
    p.how = stopwatch::sustained(p.how);
    for (auto const begin = steady::now(); seconds_since(begin) < seconds;) {
      take(p);
    }
  };
  gauge_log log(gauges_);
  work(subject, options_.warm, [&](paced& p) { watch_.sample(p.what, *workload_, p.how); });
  work(subject, options_.budget / 2, [&](paced& p) {
    result.seconds.push_back(watch_.sample(p.what, *workload_, p.how, [&] { log.read_now_and_then(); }));
    result.host_seconds.push_back(p.how.host_seconds / p.how.launches);
  });
  auto const work_of = [&](std::optional<paced> const& opponent, std::vector<double>& seconds) {
    if (opponent) {
      work(*opponent, options_.warm, [&](paced& p) { watch_.sample(p.what, *workload_, p.how); });
      work(*opponent, options_.budget / 2,
           [&](paced& p) { seconds.push_back(watch_.sample(p.what, *workload_, p.how)); });
    }
  };
  work_of(others.peer, result.peer_seconds);
  work_of(others.base, result.base_seconds);
  result.gauges = log.mean();
  return result;
}

measurement session::measure(paced& subject, opponents& others) {
  if (options_.warm > 0) {
    return measure_sustained(subject, others);
  }
  measurement result;
  gauge_log log(gauges_);
  auto const read = [&] { log.read_now_and_then(); };
  auto const begin = steady::now();
  do {
    result.seconds.push_back(watch_.sample(subject.what, *workload_, subject.how, read));
    result.host_seconds.push_back(subject.how.host_seconds / subject.how.launches);
    if (others.peer) {
      result.peer_seconds.push_back(watch_.sample(others.peer->what, *workload_, others.peer->how));
    }
    if (others.base) {
      result.base_seconds.push_back(watch_.sample(others.base->what, *workload_, others.base->how));
    }
  } while (seconds_since(begin) < options_.budget);
  result.gauges = log.mean();
  return result;
}

}  // namespace bench
