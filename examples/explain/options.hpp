// SPDX-License-Identifier: BSL-1.0
//! @file
//! The command line of explain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study.hpp"

namespace explain {

struct command {
  explain::request request;
  std::string type = "f32", device = "this", svg, html;
  bool list = false, price = false, batch_invariant = false;
};

/// Reads the arguments, of which --policy takes one of `names`; those of `rings` go without what else tells of
/// operands. Nothing where --help has been printed. Throws tools::refused.
std::optional<command> read_command(int count, char** arguments, std::vector<std::string> const& names,
                                    std::vector<std::string> const& rings);

}  // namespace explain
