// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a call takes besides its matrices.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include <gemm/policy.hpp>

namespace gemm {

/// In a policy's place, stands for the library's choice as `automatic` does, for floats whose products tensor cores may
/// compute, with errors of single precision: among all that `automatic` has, and `checked` fp16x3 policies, or without
/// wgmma bf16x6_mma_128x128x64, where those promise to be faster. A type, and no member of the options, so that nobody
/// compiles what is not asked for.
struct fp32_emulated {};

namespace detail {

/// Whether the library chooses the policy.
template <class Policy>
inline constexpr bool is_choice = std::is_same_v<Policy, automatic> || std::is_same_v<Policy, fp32_emulated>;

}  // namespace detail

/// Device memory for a policy that needs some, at a multiple of 16 bytes, better 128 (lines of copies and parts then
/// begin where the L2's do); workspace_size() says how much. Written and read by what a call enqueues, so that the next
/// call on the same stream may be given it, too, but none that runs at the same time.
struct workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// The options of a call, in the accumulator's type: float for float, __half and __nv_bfloat16, double for double,
/// int32_t for int8_t (a real factor is the epilogue gemm::scale). The order of the members is part of the interface:
/// `{.alpha = 2, .stream = s}` names any of them in this order.
template <class Scalar>
struct options {
  Scalar alpha = Scalar(1);       ///< scales A B; with 0, A and B are not read, as in BLAS
  Scalar beta = Scalar(0);        ///< scales C; with 0, C is not read, as in BLAS
  cudaStream_t stream = nullptr;  ///< where the work is enqueued
  gemm::workspace workspace{};    ///< the call's own memory; none: it takes what it needs from a pool
};

}  // namespace gemm
