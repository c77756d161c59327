// SPDX-License-Identifier: BSL-1.0
//! @file
//! Whether a contender computes the product, checked before it is timed.
#pragma once

#include "contender.hpp"
#include "workload.hpp"

namespace bench {

/// A contender that this device cannot run; no failure of it.
struct unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Lets the contender write a C that is poisoned with NaN, and compares 4096 elements of it (the corners, the last row
/// and column, the rest at random) with sums in more than double precision, each within gemm::error_bound. Counts the
/// NaN in all of C. Returns the largest error over its bound, at most 1; throws where an element is wrong.
double verify(contender const& c, workload const& w);

}  // namespace bench
