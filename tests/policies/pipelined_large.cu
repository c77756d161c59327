// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_WIDE(gemm::pipelined_128x128x16);
GEMM_TEST_INSTANTIATE_WIDE(gemm::pipelined_64x128x16);
GEMM_TEST_INSTANTIATE_WIDE(gemm::pipelined_64x64x16);
