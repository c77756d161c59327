// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(test::split_3_of_32x32x8);
GEMM_TEST_INSTANTIATE_WIDE(test::split_40_of_64x32x4);
GEMM_TEST_INSTANTIATE_NARROW(test::split_40_of_64x32x4);
