// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(gemm::shared_tile_32x32x32);
GEMM_TEST_INSTANTIATE_WIDE(test::shared_tile_16x16x5);
