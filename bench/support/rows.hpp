// SPDX-License-Identifier: BSL-1.0
//! @file
//! One benchmark for each contender and problem.
#pragma once

#include <memory>
#include <string>
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

/// Registers the benchmarks of all problems: cuBLAS first, then the policies in their order. `shared` need not hold a
/// session before they run. Returns their number.
int register_rows(std::vector<problem> const& problems, std::vector<contender> const& policies, options const& o,
                  std::unique_ptr<session> const& shared, tally& result);

}  // namespace bench
