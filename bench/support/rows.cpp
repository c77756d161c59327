// SPDX-License-Identifier: BSL-1.0
//! @file
//! The body of a benchmark: verify, measure, report.

#include "rows.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <regex>

#include "cuda.hpp"
#include "verify.hpp"

namespace bench {

namespace {

/// A benchmark. Google Benchmark calls it once for each repetition; it is verified and paced at the first.
struct row {
  problem what;
  std::function<contender(session const&)> subject;
  double error_ratio = -1;  ///< of the verification; negative before it
  pace subjects = {};
  std::string error;  ///< why there is nothing to measure
};

void prepare_once(row& r, session& s, tally& result) {
  if (r.error_ratio >= 0 || !r.error.empty()) {
    return;
  }
  try {
    contender const c = r.subject(s);
    if (!c.run) {
      throw failure("cublasLt has no algorithm for this problem");
    }
    double const error_ratio = verify(c, s.workload());
    r.subjects = s.pace_of(c);
    r.error_ratio = error_ratio;
  } catch (unsupported const& reason) {
    r.error = reason.what();
  } catch (failure const& reason) {
    r.error = reason.what();
    ++result.failures;
  }
}

void report(benchmark::State& state, row const& r, measurement const& m, options const& o) {
  double const seconds = median(m.seconds);
  double const bound = std::max(r.what.flops() / (o.peak(r.what.dtype) * 1e12), r.what.bytes() / (o.bandwidth * 1e12));
  auto& counters = state.counters;
  counters["tflops"] = r.what.flops() / seconds * 1e-12;
  counters["gbps"] = r.what.bytes() / seconds * 1e-9;
  counters["bound_fraction"] = bound / seconds;
  counters["min_us"] = *std::min_element(m.seconds.begin(), m.seconds.end()) * 1e6;
  counters["median_us"] = seconds * 1e6;
  counters["max_us"] = *std::max_element(m.seconds.begin(), m.seconds.end()) * 1e6;
  counters["samples"] = static_cast<double>(m.seconds.size());
  counters["launches"] = r.subjects.launches;
  counters["error_ratio"] = r.error_ratio;
  if (!m.peer_seconds.empty()) {
    std::vector<double> ratios;  // of neighbours in time: of one clock and one heat
    std::transform(m.peer_seconds.begin(), m.peer_seconds.end(), m.seconds.begin(), std::back_inserter(ratios),
                   std::divides<>());
    counters["vs_cublas"] = median(ratios);
  }
  if (m.gauges) {
    counters["sm_mhz"] = m.gauges->sm_megahertz;
    counters["watts"] = m.gauges->watts;
  }
  state.SetLabel(r.what.kind);
}

void run_row(benchmark::State& state, row& r, session& s, options const& o, tally& result) {
  try {
    s.prepare(r.what);
    prepare_once(r, s, result);
    if (r.error.empty()) {
      contender const subject = r.subject(s);
      // An iteration is a whole repetition: as many samples as --budget allows, which Google Benchmark could not know
      // in advance. Its time is their median.
      for ([[maybe_unused]] auto _ : state) {
        measurement const m = s.measure(subject, r.subjects);
        state.SetIterationTime(median(m.seconds));
        report(state, r, m, o);
      }
      return;
    }
  } catch (failure const& reason) {
    r.error = reason.what();
    ++result.failures;
  }
  state.SkipWithError(r.error.c_str());
}

}  // namespace

int register_rows(std::vector<problem> const& problems, std::vector<contender> const& policies, options const& o,
                  std::unique_ptr<session> const& shared, tally& result) {
  int count = 0;
  for (problem const& p : problems) {
    auto const add = [&](std::string const& name, std::function<contender(session const&)> subject) {
      auto const r = std::make_shared<row>(row{.what = p, .subject = std::move(subject), .error = {}});
      auto const body = [r, &o, &shared, &result](benchmark::State& state) { run_row(state, *r, *shared, o, result); };
      benchmark::RegisterBenchmark((name + '/' + p.name()).c_str(), body)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
      ++count;
    };
    if (o.peers) {
      add("cublas_default", [](session const& s) { return s.cublas_default(); });
      add("cublaslt_best", [](session const& s) { return s.cublaslt_best(); });
    }
    for (contender const& c : policies) {
      if (c.dtype == p.dtype && std::regex_search(c.name, o.policies)) {
        add(c.name, [c](session const&) { return c; });
      }
    }
  }
  return count;
}

}  // namespace bench
