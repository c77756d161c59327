// SPDX-License-Identifier: BSL-1.0
//! @file
//! What checks of ends and counts have found: see <gemm/check_ranges.cuh>.
#pragma once

#include <cstdint>

#include <gemm/cxx20.hpp>

namespace gemm {

/// What checks have found first, in device memory: all zero before the first one.
struct range_report {
  std::int64_t product, value, least, most;  ///< whose number is what, and what it may be
  std::int32_t wrong;                        ///< 0: nothing was found; 1: where a product ends; 2: a count
};

}  // namespace gemm
