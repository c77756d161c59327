// SPDX-License-Identifier: BSL-1.0
//! @file
//! The command line of gemm_accuracy.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bench {

struct accuracy_options {
  std::string cells;               ///< the file of --cells; empty: none
  std::vector<std::string> flags;  ///< Google Benchmark's
};

/// Nothing where --help has been printed. Throws tools::refused.
std::optional<accuracy_options> read_accuracy_options(int count, char** arguments);

}  // namespace bench
