// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(gemm::vectorized_128x128x8);
GEMM_TEST_INSTANTIATE_WIDE(test::vectorized_32x64x12);
