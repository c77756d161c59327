// SPDX-License-Identifier: BSL-1.0
//! @file
//! The ladder as one interactive page: the studies as data, for the script of html/ to draw.
#pragma once

#include <string>
#include <vector>

#include "ring.hpp"
#include "study.hpp"

namespace explain {

/// The files of html/ and the committed results of the ladder (a JSON list), embedded by CMake.
struct page_files {
  static char const html[], style[], script[], results[];
};

/// A page that needs no other file. `studies` are of one problem, float, nn.
std::string page_of(std::vector<study> const& studies, std::vector<ring_study> const& rings,
                    device_limits const& device);

}  // namespace explain
