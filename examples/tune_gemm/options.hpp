// SPDX-License-Identifier: BSL-1.0
//! @file
//! The command line of tune_gemm.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../support/arguments.hpp"

namespace example {

struct tune_arguments {
  std::vector<tools::shape> shapes;  ///< none: the defaults
  std::string type = "f32", storage = "nn";
  std::string cache;    ///< empty: none
  int repetitions = 0;  ///< 0: tune()'s own
  bool all = false;
};

/// Nothing where --help has been printed. Throws tools::refused.
std::optional<tune_arguments> read_tune_arguments(int count, char** values);

}  // namespace example
