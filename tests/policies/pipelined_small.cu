// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties.

#include "policies.hpp"

#include "../support/run_policy.hpp"

#if !defined(GEMM_TEST_SANITIZERS)
GEMM_TEST_INSTANTIATE(gemm::pipelined_48x128x16, test::f32);
GEMM_TEST_INSTANTIATE(gemm::pipelined_32x128x16, test::f32);
#if !defined(GEMM_TEST_CPU_DEVICE)
GEMM_TEST_INSTANTIATE(gemm::pipelined_128x64x16, test::f32);
GEMM_TEST_INSTANTIATE(gemm::pipelined_128x32x16, test::f32);
#endif
#endif
GEMM_TEST_INSTANTIATE_WIDE(gemm::pipelined_32x64x32);
GEMM_TEST_INSTANTIATE_WIDE(gemm::pipelined_16x64x32);
GEMM_TEST_INSTANTIATE_WIDE(test::pipelined_32x32x8_2);
GEMM_TEST_INSTANTIATE_WIDE(test::pipelined_64x32x4_5);
