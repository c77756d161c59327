// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a result must say of where it comes from.
#pragma once

#include <string>

#include "gauges.hpp"
#include "options.hpp"

namespace bench {

/// Adds to the context of Google Benchmark's output: the device, the versions, the commit, and the method.
void add_device_context(gauges const& g, std::string const& method);

/// Likewise, with the options and the seconds that the host takes for a bare launch.
void add_context(options const& o, gauges const& g, double bare_launch);

}  // namespace bench
