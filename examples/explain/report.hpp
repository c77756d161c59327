// SPDX-License-Identifier: BSL-1.0
//! @file
//! The account as text.
#pragma once

#include <string>
#include <vector>

#include "study.hpp"

namespace explain {

/// The first lines of a report: the policy, the device, the problem and the idea.
std::string head_of(study const& s, device_limits const& device);

/// "C (4096 x 4096) = A (4096 x 4096) B (4096 x 4096), float, nn".
std::string problem_text(problem_size const& size, std::string const& type, std::string const& storage);
std::string problem_text(study const& s);

/// One policy in full.
std::string report_of(study const& s, device_limits const& device);

/// Tables with a row for each policy, readable as text and as Markdown, each under a sentence on its columns.
std::string summary_of(std::vector<study> const& studies, device_limits const& device);

/// "4096", "1.50 GB", "2.11 ms": three digits and a unit.
std::string bytes_text(double bytes);
std::string seconds_text(double seconds);

}  // namespace explain
