// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(test::skinny_4x16x32);
GEMM_TEST_INSTANTIATE_WIDE(test::skinny_64x2x64);
GEMM_TEST_INSTANTIATE_WIDE(test::split_2_of_64x2x64);
