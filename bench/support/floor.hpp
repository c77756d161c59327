// SPDX-License-Identifier: BSL-1.0
//! @file
//! The floor of a product of few rows: the time in which a kernel reads A and B once, with nothing else to do.
#pragma once

#include <string>

#include "contender.hpp"
#include "stopwatch.hpp"
#include "workload.hpp"

namespace bench {

inline constexpr char floor_name[] = "floor", early_floor_name[] = "floor_early";

/// The fastest of a few such kernels, each timed on the workload: dependent launches, whose loads begin when the kernel
/// before has ended, or where `early` at once. It writes nothing. Throws `unsupported` on GPUs before sm_90, and for
/// products of which both operands together have less than 1 MiB.
contender floor_of_reading(std::string name, bool early, workload& w, stopwatch const& watch);

}  // namespace bench
