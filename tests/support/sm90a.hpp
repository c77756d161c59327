// SPDX-License-Identifier: BSL-1.0
//! @file
//! What tests of sm_90a's instructions begin with.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <gemm/launch/compiled_code.cuh>

namespace test {

/// Skips the test where the device does not run them.
inline void need_sm90a() {
  if (!gemm::detail::current_code().tma) {
    SKIP("needs a GPU of compute capability 9.0 and code compiled for sm_90a");
  }
}

}  // namespace test
