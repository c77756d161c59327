// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties, for narrow operands.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_NARROW(gemm::pipelined_64x64x16);
GEMM_TEST_INSTANTIATE_NARROW(test::pipelined_32x32x8_2);
GEMM_TEST_INSTANTIATE_NARROW(test::pipelined_64x32x4_5);
