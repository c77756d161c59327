// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties, for narrow operands.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_NARROW(test::vectorized_32x64x12);
GEMM_TEST_INSTANTIATE_NARROW(test::warp_tile_32x96x4);
