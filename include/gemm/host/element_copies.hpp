// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the model knows of kernels that copy element by element, without TMA.
#pragma once

#include <gemm/block/problem.cuh>
#include <gemm/element.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/kernel/small.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// A kernel that does so because something is not aligned is slower, more where it copies more for each sum, and takes
/// longer to begin and to end. And with a k-major B, which it turns on its way, none of its copies is wide (H200, nt
/// 128x128x65536 in 32 slices: 94 us in 32 x 64 tiles).
template <class Policy, class Problem>
struct element_copies {
  static constexpr double rate = Policy::block_m * Policy::block_n * batch_per_block<Policy> > 1024 ? 0.976 : 0.654;
  static constexpr double overhead = 1.35;
  static constexpr double turning = [] {
    using input = typename Problem::input;
    if constexpr (Problem::storage::b == major::mn || uses_tma<Policy> || batch_per_block < Policy >> 1) {
      return 1.0;
    } else {
      return sizeof(input) >= 4 && Policy::template access_width<input, major::k> == 1 ? 0.85 : 1.0;
    }
  }();
};

}  // namespace gemm::detail
