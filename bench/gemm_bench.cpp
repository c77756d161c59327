// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times the policies of gemm beside cuBLAS, and their epilogues, over lists of shapes. bench/README.md says how, and
//! what the columns mean.

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/contender.hpp"
#include "support/context.hpp"
#include "support/options.hpp"
#include "support/problem.hpp"
#include "support/rows.hpp"
#include "support/session.hpp"

namespace bench {

namespace {

void print_help() {
  std::fputs(usage, stdout);
  benchmark::PrintDefaultHelp();
}

std::vector<problem> read_all(options const& o) {
  if (o.shapes.empty()) {
    throw std::invalid_argument("no list of shapes: name one, such as --shapes=bench/shapes/ladder.txt");
  }
  std::vector<problem> result;
  for (std::string const& path : o.shapes) {
    std::vector<problem> const list = read_shapes(path);
    result.insert(result.end(), list.begin(), list.end());
  }
  for (problem& p : result) {
    p.has_sides = o.suite == suite::epilogues;
  }
  return result;
}

void require_device() {
  int count = 0;
  cudaError_t const error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    throw std::runtime_error(std::string("there is no CUDA device to measure: ") +
                             (error != cudaSuccess ? cudaGetErrorString(error) : "none is visible"));
  }
}

/// Writes the repetitions alone: their means and deviations can be had from them, and are not what the reports read.
class repetitions_reporter : public benchmark::JSONReporter {
 public:
  void ReportRuns(std::vector<Run> const& runs) override {
    std::vector<Run> repetitions;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(repetitions),
                 [](Run const& run) { return run.run_type == Run::RT_Iteration; });
    JSONReporter::ReportRuns(repetitions);
  }
};

bool writes_json(std::vector<char*> const& arguments) {
  auto const says = [&](std::string_view flag) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](std::string_view argument) { return argument.substr(0, flag.size()) == flag; });
  };
  return says("--benchmark_out=") && (says("--benchmark_out_format=json") || !says("--benchmark_out_format="));
}

options without_soak(options o) {
  o.soak = 0;
  return o;
}

int run(int argc, char** argv) {
  // Defaults of Google Benchmark's flags; what the user says comes later and wins. With next to no least time, a
  // repetition is one iteration, whose length is --budget's.
  std::string defaults[] = {"--benchmark_repetitions=5", "--benchmark_min_time=1e-9",
                            "--benchmark_display_aggregates_only=true", "--benchmark_counters_tabular=true"};
  std::string executable = std::filesystem::path(argv[0]).filename().string();  // the results name no folder
  std::vector<char*> arguments{executable.data()};
  for (std::string& flag : defaults) {
    arguments.push_back(flag.data());
  }
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  options const o = parse_options(arguments);
  repetitions_reporter file;
  benchmark::BenchmarkReporter* const file_reporter = writes_json(arguments) ? &file : nullptr;
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data(), &print_help);
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
    return EXIT_FAILURE;
  }

  std::vector<problem> const problems = read_all(o);
  std::vector<contender> const subjects = chosen_contenders(o);
  if (o.profile) {
    require_device();
    session alone(without_soak(o));
    if (launch_for_profiler(problems, subjects, o, alone) == 0) {
      throw std::invalid_argument("nothing to launch: no shape or no policy is left");
    }
    return EXIT_SUCCESS;
  }
  std::unique_ptr<session> shared;
  tally result;
  if (register_rows(problems, subjects, o, shared, result) == 0) {
    throw std::invalid_argument("nothing to measure: no shape or no policy is left");
  }
  if (!o.listing) {
    require_device();
    shared = std::make_unique<session>(o);
    add_context(o, shared->gauges(), shared->bare_launch());
  }
  bool const ran = benchmark::RunSpecifiedBenchmarks(nullptr, file_reporter) > 0;
  if (result.failures > 0) {
    std::fprintf(stderr, "gemm_bench: %d benchmarks failed\n", result.failures);
  }
  return ran && result.failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  try {
    return bench::run(argc, argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "gemm_bench: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
