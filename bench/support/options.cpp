// SPDX-License-Identifier: BSL-1.0
//! @file
//! Parses the command line.

#include "options.hpp"

#include <benchmark/benchmark.h>

#include <tuple>

#include "../../examples/support/command_line.hpp"
#include "benchmark_main.hpp"
#include "elements.hpp"

namespace bench {

namespace {

constexpr double most = 1e9;

void set_peak(options& o, std::string const& text) {
  std::string const dtype = text.substr(0, text.find(':'));
  auto const known = o.peaks.find(dtype);
  if (known == o.peaks.end() || dtype.size() == text.size()) {
    std::vector<std::string> names;
    for (auto const& [name, peak] : o.peaks) {
      names.push_back(name);
    }
    throw tools::refused("--peak is \"" + text + "\", needs DTYPE:TFLOPS of a type that is measured" +
                         (known == o.peaks.end() ? tools::suggestion(dtype, names) : ""));
  }
  known->second = tools::parse_number("--peak=" + dtype, text.substr(dtype.size() + 1), 1e-9, most);
}

}  // namespace

std::optional<options> parse_options(int count, char** arguments, std::vector<std::string>& others) {
  options o;
  std::apply([&](auto const&... e) { ((o.peaks[std::string(e.name)] = e.peak), ...); }, elements);
  std::string suite_name = "policies", peers = "on";
  std::vector<std::string> peaks;
  CLI::App app("gemm_bench: times the policies of gemm beside cuBLAS\n", "gemm_bench");
  tools::add_list(app, "--shapes", "FILE", "problems, lines of: dtype storage m n k [kind] [batch=N]; may be repeated",
                  o.shapes);
  tools::add_choice(app, "--suite", suite_name, {"policies", "epilogues", "few_rows", "scales"},
                    "policies, each beside the best of cuBLAS (the default), epilogues: those of one policy, each "
                    "beside the same without one, few_rows: run() beside the time to read A and B, or scales of fp8, "
                    "each beside cuBLAS's of the same kind");
  tools::add_text(app, "--policies", "REGEX", "only the policies, epilogues or scales in whose names it is found",
                  [&](std::string const& text) {
                    o.policies_text = text;
                    try {
                      o.policies = std::regex(text);
                    } catch (std::regex_error const&) {
                      throw tools::refused("--policies is \"" + text + "\", needs a regular expression");
                    }
                  });
  tools::add_choice(app, "--peers", peers, {"on", "off"}, "whether cuBLAS is timed, too (on)");
  tools::add_number(app, "--budget", o.budget, 1e-9, most,
                    "seconds of one repetition of a benchmark, at least one sample (0.5)");
  tools::add_number(app, "--soak", o.soak, 0.0, most,
                    "seconds of work before the first benchmark, for clocks to settle (3)");
  tools::add_number(
      app, "--warm", o.warm, 0.0, most,
      "sustained: each side works for so many seconds unmeasured, then is sampled for half the budget (0: off)");
  tools::add_list(app, "--peak", "DTYPE:TFLOPS",
                  "peak that bound_fraction is of; may be repeated (f32:65.2, f64:32.6, ...)", peaks);
  tools::add_number(app, "--bandwidth", o.bandwidth, 1e-9, most,
                    "memory bandwidth in TB/s that bound_fraction is of (4.27)");
  app.add_flag("--profile", o.profile, "launch each once, between the profiler's start and stop, and time nothing");
  app.footer("The others are Google Benchmark's, of which --benchmark_repetitions is 5 unless given:\n");
  if (!tools::parse(app, count, arguments, &others)) {
    benchmark::PrintDefaultHelp();
    return {};
  }
  o.suite = suite_name == "policies"    ? suite::policies
            : suite_name == "epilogues" ? suite::epilogues
            : suite_name == "few_rows"  ? suite::few_rows
                                        : suite::scales;
  o.peers = peers == "on";
  for (std::string const& peak : peaks) {
    set_peak(o, peak);
  }
  o.listing = lists_only(others);
  return o;
}

}  // namespace bench
