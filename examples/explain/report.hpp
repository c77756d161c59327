// SPDX-License-Identifier: BSL-1.0
//! @file
//! The account as text.
#pragma once

#include <string>
#include <vector>

#include "study.hpp"

namespace explain {

/// One policy in full.
std::string report_of(study const& s, device_limits const& device);

/// A line for each policy, as a table that is readable as text and as Markdown.
std::string summary_of(std::vector<study> const& studies, device_limits const& device);

/// "4096", "1.50 GB", "2.11 ms": three digits and a unit.
std::string bytes_text(double bytes);
std::string seconds_text(double seconds);

}  // namespace explain
