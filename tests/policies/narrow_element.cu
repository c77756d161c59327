// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties, for narrow operands.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_NARROW(test::naive_8x16);
GEMM_TEST_INSTANTIATE_NARROW(test::coalesced_4x24);
GEMM_TEST_INSTANTIATE_NARROW(test::shared_tile_16x16x5);
GEMM_TEST_INSTANTIATE_NARROW(test::block_tile_1d_24x32x3);
GEMM_TEST_INSTANTIATE_NARROW(test::block_tile_2d_32x48x6);
