// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads the command line of gemm_accuracy.

#include "options.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

#include "../../examples/support/command_line.hpp"
#include "errors.hpp"

namespace bench {

std::optional<accuracy_options> read_accuracy_options(int count, char** arguments) {
  accuracy_options result;
  CLI::App app("gemm_accuracy: errors and speed of the ways to multiply floats\n", "gemm_accuracy");
  auto const add_file = [&](char const* name, std::string const& help, void (*measure)(std::FILE*)) {
    tools::add_text(app, name, "FILE", "instead, as CSV, the errors " + help,
                    [&result, measure](std::string const& text) { result.files.emplace_back(measure, text); });
  };
  add_file("--cells", "of fp32_emulated and cublasSgemm, of ten kinds of elements", &measure_cells);
  add_file("--fp8", "of products of e4m3, promoted and fast, and cublasLt's, of ten kinds of elements", &measure_fp8);
  add_file("--mma", "of split terms by mma.sync, and cublasSgemm's, of ten kinds of elements over k", &measure_mma);
  add_file("--deep", "of half and bf16 over k, promoted or not, and cublasGemmEx's", &measure_deep);
  app.footer("The others are Google Benchmark's:\n");
  if (!tools::parse(app, count, arguments, &result.flags)) {
    benchmark::PrintDefaultHelp();
    return {};
  }
  if (!result.files.empty() && !result.flags.empty()) {
    throw tools::refused("--cells, --fp8, --mma and --deep go without " + result.flags.front());
  }
  return result;
}

}  // namespace bench
