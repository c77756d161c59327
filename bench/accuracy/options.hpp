// SPDX-License-Identifier: BSL-1.0
//! @file
//! The command line of gemm_accuracy.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct accuracy_options {
  /// What writes a CSV, and its file: of --cells, --fp8, --mma and --deep.
  std::vector<std::pair<void (*)(std::FILE*), std::string>> files;
  std::vector<std::string> flags;  ///< Google Benchmark's
};

/// Nothing where --help has been printed. Throws tools::refused.
std::optional<accuracy_options> read_accuracy_options(int count, char** arguments);

}  // namespace bench
