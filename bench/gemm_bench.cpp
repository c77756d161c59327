// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times the policies of gemm beside cuBLAS, their epilogues and scales, over lists of shapes. bench/README.md says
//! how, and what the columns mean.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "../examples/support/arguments.hpp"
#include "support/benchmark_main.hpp"
#include "support/contender.hpp"
#include "support/context.hpp"
#include "support/options.hpp"
#include "support/problem.hpp"
#include "support/rows.hpp"
#include "support/session.hpp"

namespace bench {

namespace {

std::vector<problem> read_all(options const& o) {
  if (o.shapes.empty()) {
    throw tools::refused("no list of shapes: name one, such as --shapes=bench/shapes/ladder.txt");
  }
  std::vector<problem> result;
  for (std::string const& path : o.shapes) {
    std::vector<problem> const list = read_shapes(path);
    result.insert(result.end(), list.begin(), list.end());
  }
  for (problem& p : result) {
    p.has_sides = o.suite == suite::epilogues;
    p.has_scales = o.suite == suite::scales;
  }
  return result;
}

/// Refuses a --policies that is found in no name of a contender, nor of cuBLAS's where it is timed, too.
std::vector<contender> subjects_of(options const& o) {
  options every = o;
  every.policies = std::regex("");
  std::vector<std::string> names = o.peers ? session::peers_of(o.suite) : std::vector<std::string>{};
  for (contender const& c : chosen_contenders(every)) {
    names.push_back(c.name);
  }
  if (std::none_of(names.begin(), names.end(),
                   [&](std::string const& name) { return std::regex_search(name, o.policies); })) {
    throw tools::refused("--policies is \"" + o.policies_text + "\", which is found in no name" +
                         tools::suggestion(o.policies_text, names));
  }
  return chosen_contenders(o);
}

options without_soak(options o) {
  o.soak = 0;
  return o;
}

int run(int argc, char** argv) {
  std::vector<std::string> flags;
  std::optional<options> const parsed = parse_options(argc, argv, flags);
  if (!parsed) {
    return tools::exit_done;
  }
  options const& o = *parsed;
  std::string const executable = std::filesystem::path(argv[0]).filename().string();  // the results name no folder
  initialize(
      executable,
      {"--benchmark_repetitions=5", "--benchmark_display_aggregates_only=true", "--benchmark_counters_tabular=true"},
      flags);
  std::vector<problem> const problems = read_all(o);
  std::vector<contender> const subjects = subjects_of(o);
  if (o.profile) {
    require_device();
    session alone(without_soak(o));
    if (launch_for_profiler(problems, subjects, o, alone) == 0) {
      throw tools::refused("nothing to launch: no shape or no policy is left");
    }
    return tools::exit_done;
  }
  std::unique_ptr<session> shared;
  tally result;
  if (register_rows(problems, subjects, o, shared, result) == 0) {
    throw tools::refused("nothing to measure: no shape or no policy is left");
  }
  if (!o.listing) {
    require_device();
    shared = std::make_unique<session>(o);
    add_context(o, shared->gauges(), shared->bare_launch());
  }
  bool const ran = run_registered();
  if (result.failures > 0) {
    std::fprintf(stderr, "gemm_bench: %d benchmarks failed\n", result.failures);
  }
  return ran && result.failures == 0 ? tools::exit_done : tools::exit_failed;
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return tools::run_main("gemm_bench", [&] { return bench::run(argc, argv); });
}
