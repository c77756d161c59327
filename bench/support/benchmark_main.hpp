// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the programs on Google Benchmark share: how it is begun and what it writes.
#pragma once

#include <string>
#include <vector>

namespace bench {

/// Throws where there is no CUDA device.
void require_device();

/// Whether benchmarks are to be listed and not run.
bool lists_only(std::vector<std::string> const& flags);

/// Hands the flags to Google Benchmark, the defaults first: what the user gives comes later and wins. A repetition is
/// one iteration. Throws tools::refused where it does not know one.
void initialize(std::string program, std::vector<std::string> defaults, std::vector<std::string> given);

/// Runs what is registered, and writes the repetitions alone to the file of --benchmark_out. False where nothing ran.
bool run_registered();

}  // namespace bench
