// SPDX-License-Identifier: BSL-1.0
//! @file
//! Whether a contender computes the product, checked before it is timed.
#pragma once

#include "contender.hpp"
#include "workload.hpp"

namespace bench {

/// Lets the contender write a poisoned C, and compares 4096 elements of it (the corners, the last row and column, the
/// rest at random) with sums in more than double precision: each within gemm::error_bound, and integers exact. fp8,
/// whose sums are truncated, is also verified with integers, whose sums are exact; the first set has its values again.
/// Scales are part of the sums, and amax is compared with the greatest magnitude in C, rounded as C is.
/// Counts what is left of the poison in all of C; it is NaN, and for int32 a value beyond all sums of up to 132
/// thousand products of int8. Returns the largest error over its bound, at most 1. Throws `unsupported` where the
/// contender cannot do the problem, and `failure` where an element is wrong.
double verify(contender const& c, workload const& w);

}  // namespace bench
