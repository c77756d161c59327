// SPDX-License-Identifier: BSL-1.0
//! @file
//! Prepares problems and takes samples.

#include "session.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <stdexcept>

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

double measurement::partner_over_subject() const {
  if (sustained) {
    return median(partner_seconds) / median(seconds);
  }
  std::vector<double> ratios;
  std::transform(partner_seconds.begin(), partner_seconds.end(), seconds.begin(), std::back_inserter(ratios),
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
  return s == suite::policies ? std::vector<std::string>{"cublas_default", "cublaslt_best"}
                              : std::vector<std::string>{"cublaslt_none", "cublaslt_bias", "cublaslt_bias_relu"};
}

contender session::make_peer(std::string const& name) {
  if (name == "cublas_default") {
    return cublas_.default_algorithm(workload_->problem());
  }
  auto const epilogue = name == "cublaslt_bias"        ? cublas::fused::bias
                        : name == "cublaslt_bias_relu" ? cublas::fused::bias_relu
                                                       : cublas::fused::nothing;
  return cublas_.best_algorithm(name, epilogue, *workload_, watch_);
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

measurement session::measure_sustained(paced const& subject, paced const* partner) {
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
  if (partner != nullptr) {
    work(*partner, options_.warm, [&](paced& p) { watch_.sample(p.what, *workload_, p.how); });
    work(*partner, options_.budget / 2,
         [&](paced& p) { result.partner_seconds.push_back(watch_.sample(p.what, *workload_, p.how)); });
  }
  result.gauges = log.mean();
  return result;
}

measurement session::measure(paced& subject, paced* partner) {
  if (options_.warm > 0) {
    return measure_sustained(subject, partner);
  }
  measurement result;
  gauge_log log(gauges_);
  auto const read = [&] { log.read_now_and_then(); };
  auto const begin = steady::now();
  do {
    result.seconds.push_back(watch_.sample(subject.what, *workload_, subject.how, read));
    result.host_seconds.push_back(subject.how.host_seconds / subject.how.launches);
    if (partner != nullptr) {
      result.partner_seconds.push_back(watch_.sample(partner->what, *workload_, partner->how));
    }
  } while (seconds_since(begin) < options_.budget);
  result.gauges = log.mean();
  return result;
}

}  // namespace bench
