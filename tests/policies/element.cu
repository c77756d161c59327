// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(gemm::naive_32x4);
GEMM_TEST_INSTANTIATE_WIDE(test::naive_8x16);
GEMM_TEST_INSTANTIATE_WIDE(gemm::coalesced_32x32);
GEMM_TEST_INSTANTIATE_WIDE(test::coalesced_4x24);
