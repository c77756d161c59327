// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads the command line of gemm_accuracy.

#include "options.hpp"

#include <benchmark/benchmark.h>

#include "../../examples/support/command_line.hpp"

namespace bench {

std::optional<accuracy_options> read_accuracy_options(int count, char** arguments) {
  accuracy_options result;
  CLI::App app("gemm_accuracy: errors and speed of the ways to multiply floats\n", "gemm_accuracy");
  tools::add_text(app, "--cells", "FILE",
                  "instead, the errors of fp32_emulated and cublasSgemm of ten kinds of elements, as CSV",
                  [&](std::string const& text) { result.cells = text; });
  app.footer("The others are Google Benchmark's:\n");
  if (!tools::parse(app, count, arguments, &result.flags)) {
    benchmark::PrintDefaultHelp();
    return {};
  }
  if (!result.cells.empty() && !result.flags.empty()) {
    throw tools::refused("--cells goes without " + result.flags.front());
  }
  return result;
}

}  // namespace bench
