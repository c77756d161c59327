// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::pipelined_48x128x16, test::f32);
GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(gemm::pipelined_32x128x16, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::pipelined_128x64x16, test::f32);
GEMM_TEST_INSTANTIATE_ON_GPU(gemm::pipelined_128x32x16, test::f32);
GEMM_TEST_INSTANTIATE_WIDE(gemm::pipelined_32x64x32);
GEMM_TEST_INSTANTIATE_WIDE(gemm::pipelined_16x64x32);
GEMM_TEST_INSTANTIATE_WIDE(test::pipelined_32x32x8_2);
GEMM_TEST_INSTANTIATE_WIDE(test::pipelined_64x32x4_5);
