// SPDX-License-Identifier: BSL-1.0
//! @file
//! The body of a benchmark: verify, measure, report.

#include "rows.hpp"

#include <benchmark/benchmark.h>
#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <regex>
#include <string>

#include "cuda.hpp"
#include "floor.hpp"
#include "verify.hpp"

namespace bench {

namespace {

using finder = std::function<std::optional<contender>(session const&)>;

/// A benchmark. Google Benchmark calls it once for each repetition; it is verified and paced at the first.
struct row {
  problem what;
  std::function<contender(session const&)> subject;
  finder peer, base;        ///< whom it is compared with
  double error_ratio = -1;  ///< of the verification; negative before it
  paced subject_pace = {};
  opponents others = {};
  std::string error;  ///< why there is nothing to measure
};

void fail(row& r, tally& result, char const* reason) {
  r.error = reason;
  ++result.failures;
}

/// An opponent that cannot do the problem is none; its own row says why.
std::optional<paced> pace_if_able(session& s, std::optional<contender> const& opponent) {
  try {
    return opponent ? std::optional<paced>(s.paced_of(*opponent)) : std::nullopt;
  } catch (failure const&) {
    static_cast<void>(cudaGetLastError());
    return {};
  }
}

void prepare_once(row& r, session& s, tally& result) {
  if (r.error_ratio >= 0 || !r.error.empty()) {
    return;
  }
  try {
    contender const subject = r.subject(s);
    double const error_ratio = subject.reads_only ? 0 : verify(subject, s.workload());
    r.subject_pace = s.paced_of(subject);
    r.others = {.peer = pace_if_able(s, r.peer(s)), .base = pace_if_able(s, r.base(s))};
    r.error_ratio = error_ratio;
  } catch (unsupported const& reason) {
    r.error = std::string(left_out) + reason.what();
  } catch (failure const& reason) {
    fail(r, result, reason.what());
  }
}

void report(benchmark::State& state, row const& r, measurement const& m, options const& o) {
  contender const& subject = r.subject_pace.what;
  double const seconds = median(m.seconds);
  double const bytes = r.what.bytes() + subject.side_matrices * r.what.bytes_of_c();
  double const bound = std::max(r.what.flops() / (o.peak(r.what.dtype) * 1e12), bytes / (o.bandwidth * 1e12));
  auto& counters = state.counters;
  counters["tflops"] = r.what.flops() / seconds * 1e-12;
  counters["gbps"] = bytes / seconds * 1e-9;
  counters["bound_fraction"] = bound / seconds;
  counters["min_us"] = *std::min_element(m.seconds.begin(), m.seconds.end()) * 1e6;
  counters["median_us"] = seconds * 1e6;
  counters["max_us"] = *std::max_element(m.seconds.begin(), m.seconds.end()) * 1e6;
  counters["samples"] = static_cast<double>(m.seconds.size());
  counters["launches"] = r.subject_pace.how.launches;
  counters["host_us"] = median(m.host_seconds) * 1e6;
  counters["error_ratio"] = r.error_ratio;
  if (!m.peer_seconds.empty()) {
    counters["vs_cublas"] = m.over_subject(m.peer_seconds);
  }
  if (!m.base_seconds.empty()) {
    counters["cost"] = 1 / m.over_subject(m.base_seconds) - 1;
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
      // An iteration is a whole repetition: as many samples as --budget allows, which Google Benchmark could not know
      // in advance. Its time is their median.
      for ([[maybe_unused]] auto _ : state) {
        measurement const m = s.measure(r.subject_pace, r.others);
        state.SetIterationTime(median(m.seconds));
        report(state, r, m, o);
      }
      return;
    }
  } catch (failure const& reason) {
    fail(r, result, reason.what());
  }
  state.SkipWithError(r.error.c_str());
}

std::optional<contender> peer_if_any(session const& s, std::string const& name) {
  try {
    return s.peer(name);
  } catch (std::runtime_error const&) {
    return {};  // its own row says why
  }
}

/// Whom policies are compared with: the best of cublasLt, and where that has no algorithm, cuBLAS's default.
std::optional<contender> best_peer(session const& s) {
  std::optional<contender> const best = peer_if_any(s, "cublaslt_best");
  return best ? best : peer_if_any(s, "cublas_default");
}

/// The library's choice with a constant B.
constexpr char constant_name[] = "automatic_constant";

/// Nobody.
std::optional<contender> none(session const&) { return {}; }

finder peer_named(std::string const& name) {
  return [name](session const& s) { return peer_if_any(s, name); };
}

std::vector<contender> all_contenders(suite s) {
  return s == suite::policies    ? contenders()
         : s == suite::epilogues ? epilogues()
         : s == suite::few_rows  ? few_rows_products()
                                 : scaled_products();
}

}  // namespace

std::vector<contender> few_rows_products() {
  std::vector<contender> result;
  for (contender const& c : contenders()) {
    if (c.name == "automatic") {
      result.push_back(c);
      result.push_back(c);
      result.back().name = constant_name;
      result.back().run = [run = c.run](product p) {
        p.constant_b = true;
        return run(p);
      };
    }
  }
  return result;
}

std::vector<contender> chosen_contenders(options const& o) {
  std::vector<contender> result = all_contenders(o.suite);
  std::erase_if(result, [&](contender const& c) { return !std::regex_search(c.name, o.policies); });
  return result;
}

int register_rows(std::vector<problem> const& problems, std::vector<contender> const& contenders, options const& o,
                  std::unique_ptr<session> const& shared, tally& result) {
  int count = 0;
  bool const has_bases = o.suite != suite::policies;
  std::vector<contender> const all = has_bases ? all_contenders(o.suite) : std::vector<contender>{};
  for (problem const& p : problems) {
    auto const add = [&](std::string const& name, std::function<contender(session const&)> subject, finder peer,
                         finder base) {
      auto const r = std::make_shared<row>(
          row{.what = p, .subject = std::move(subject), .peer = std::move(peer), .base = std::move(base), .error = {}});
      auto const body = [r, &o, &shared, &result](benchmark::State& state) { run_row(state, *r, *shared, o, result); };
      benchmark::RegisterBenchmark((name + '/' + p.name()).c_str(), body)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
      ++count;
    };
    if (o.peers) {
      for (std::string const& name : session::peers_of(o.suite)) {
        if (o.suite == suite::scales && std::none_of(all.begin(), all.end(), [&](contender const& c) {
              return c.dtype == p.dtype && of_cublaslt(c.name) == name;
            })) {
          continue;
        }
        auto const subject = [name](session const& s) { return s.peer(name); };
        if (o.suite == suite::few_rows) {
          add(name, subject, name == floor_name || name == early_floor_name ? finder(none) : best_peer, none);
        } else if (has_bases) {
          add(name, subject, none, peer_named(session::peers_of(o.suite).front()));
        } else {
          add(name, subject, best_peer, none);
        }
      }
    }
    for (contender const& c : contenders) {
      if (c.dtype != p.dtype) {
        continue;
      }
      auto const subject = [c](session const&) { return c; };
      if (o.suite == suite::few_rows) {
        add(c.name, subject, best_peer, peer_named(c.name == constant_name ? early_floor_name : floor_name));
      } else if (has_bases) {
        auto const first = std::find_if(all.begin(), all.end(), [&](contender const& e) { return e.dtype == c.dtype; });
        add(c.name, subject, o.suite == suite::scales ? peer_named(of_cublaslt(c.name)) : finder(none),
            [base = *first](session const&) { return std::optional<contender>(base); });
      } else {
        add(c.name, subject, best_peer, none);
      }
    }
  }
  return count;
}

int launch_for_profiler(std::vector<problem> const& problems, std::vector<contender> const& contenders,
                        options const& o, session& s) {
  int count = 0;
  auto const launch_once = [&](contender const& c, problem const& p) {
    auto const run = [&] {
      gemm::status const status = c.run(s.workload().next());
      if (!status) {
        throw failure(c.name + ": " + status.message());
      }
      require(cudaDeviceSynchronize(), c.name);
    };
    run();
    require(cudaProfilerStart(), "cudaProfilerStart");
    run();
    require(cudaProfilerStop(), "cudaProfilerStop");
    std::printf("launched %s/%s\n", c.name.c_str(), p.name().c_str());
    ++count;
  };
  for (problem const& p : problems) {
    s.prepare(p);
    if (o.peers) {
      for (std::string const& name : session::peers_of(o.suite)) {
        if (std::optional<contender> const peer = peer_if_any(s, name); peer && std::regex_search(name, o.policies)) {
          launch_once(*peer, p);
        }
      }
    }
    for (contender const& c : contenders) {
      if (c.dtype == p.dtype) {
        launch_once(c, p);
      }
    }
  }
  return count;
}

}  // namespace bench
