// SPDX-License-Identifier: BSL-1.0
//! @file
//! One benchmark for each contender and problem.
#pragma once

#include <memory>
#include <vector>

#include "contender.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "session.hpp"

namespace bench {

/// What went wrong, for the exit code.
struct tally {
  int failures = 0;
};

/// Those whose names --policies finds, of the suite that --suite names.
std::vector<contender> chosen_contenders(options const& o);

/// Registers the benchmarks of all problems: cuBLAS first, then the contenders in their order. `shared` need not hold a
/// session before they run. Returns their number.
int register_rows(std::vector<problem> const& problems, std::vector<contender> const& contenders, options const& o,
                  std::unique_ptr<session> const& shared, tally& result);

/// Launches each contender twice on each problem: once to load it, and once between cudaProfilerStart and -Stop, so
/// that `ncu --profile-from-start off` sees the second launch alone. Prints a line for each. Returns their number.
int launch_for_profiler(std::vector<problem> const& problems, std::vector<contender> const& contenders,
                        options const& o, session& s);

}  // namespace bench
