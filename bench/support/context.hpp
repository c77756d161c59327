// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a result must say of where it comes from.
#pragma once

#include "gauges.hpp"
#include "options.hpp"

namespace bench {

/// Adds the device, the versions, the commit and the method to the context of Google Benchmark's output.
void add_context(options const& o, gauges const& g);

}  // namespace bench
