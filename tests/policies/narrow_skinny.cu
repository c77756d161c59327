// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_NARROW(test::skinny_8x32x32);
GEMM_TEST_UNLESS_SANITIZED(GEMM_TEST_INSTANTIATE_NARROW(test::skinny_64x4x32));
