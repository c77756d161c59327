// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(gemm::block_tile_1d_64x64x16);
GEMM_TEST_INSTANTIATE_WIDE(test::block_tile_1d_24x32x3);
GEMM_TEST_INSTANTIATE_WIDE(gemm::block_tile_2d_128x128x8);
GEMM_TEST_INSTANTIATE_WIDE(test::block_tile_2d_32x48x6);
