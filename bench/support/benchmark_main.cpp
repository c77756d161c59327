// SPDX-License-Identifier: BSL-1.0
//! @file
//! Begins Google Benchmark and runs what is registered.

#include "benchmark_main.hpp"

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "../../examples/support/arguments.hpp"

namespace bench {

namespace {

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

bool writes_json = false;

}  // namespace

void require_device() {
  int count = 0;
  cudaError_t const error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    throw std::runtime_error(std::string("there is no CUDA device to measure: ") +
                             (error != cudaSuccess ? cudaGetErrorString(error) : "none is visible"));
  }
}

bool lists_only(std::vector<std::string> const& flags) {
  return std::any_of(flags.begin(), flags.end(), [](std::string const& flag) {
    return flag.starts_with("--benchmark_list_tests") && !flag.ends_with("=false");
  });
}

void initialize(std::string program, std::vector<std::string> defaults, std::vector<std::string> given) {
  auto const says = [&](std::string const& flag) {
    return std::any_of(given.begin(), given.end(), [&](std::string const& one) { return one.starts_with(flag); });
  };
  writes_json = says("--benchmark_out=") && (says("--benchmark_out_format=json") || !says("--benchmark_out_format="));
  static std::string kept_program;  // Google Benchmark keeps the pointer, for the results' context
  kept_program = std::move(program);
  // With next to no least time a repetition is one iteration, as long as the program makes it.
  defaults.push_back("--benchmark_min_time=1e-9");
  std::vector<char*> arguments{kept_program.data()};
  for (std::vector<std::string>* const flags : {&defaults, &given}) {
    for (std::string& flag : *flags) {
      arguments.push_back(flag.data());
    }
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (count > 1) {
    throw tools::refused("\"" + std::string(arguments[1]) + "\" is no flag of Google Benchmark's");
  }
}

bool run_registered() {
  repetitions_reporter file;
  return benchmark::RunSpecifiedBenchmarks(nullptr, writes_json ? &file : nullptr) > 0;
}

}  // namespace bench
