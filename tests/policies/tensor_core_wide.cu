// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles policies of the list for the properties: tiles of one or the other's height or width alone.

#include "policies.hpp"

#include "../support/run_policy.hpp"

#if !defined(GEMM_TEST_SANITIZERS)
GEMM_TEST_INSTANTIATE(gemm::tensor_core_160x256x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_192x208x64_2x1, test::f16);
#if !defined(GEMM_TEST_CPU_DEVICE)
GEMM_TEST_INSTANTIATE(gemm::tensor_core_256x160x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_208x192x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_128x240x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_192x96x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_112x128x64_2x2, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_64x160x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_64x128x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_64x192x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_64x96x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_ping_pong_144x128x64, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_ping_pong_160x128x64, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_ping_pong_168x128x64, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_176x192x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_ping_pong_176x128x64, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_240x128x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_224x128x64_1x2, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_96x192x64_2x1, test::f16);
GEMM_TEST_INSTANTIATE(gemm::tensor_core_80x128x64_4x1, test::f16);
#endif
#endif
