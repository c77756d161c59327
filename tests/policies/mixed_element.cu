// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties, for a C of another type than A and B.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_MIXED(test::coalesced_4x24);
