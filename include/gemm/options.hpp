// SPDX-License-Identifier: BSL-1.0
//! @file
//! The options of a call: alpha, beta, stream, workspace, zero_rest, constant operands.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/policy.hpp>

namespace gemm {

/// In a policy's place: the library's choice for float, tensor cores included, with errors of single precision. Its
/// candidates are those of `automatic`, and `with_fallback` fp16x3 policies, or without wgmma bf16x6_mma_128x128x64. A
/// type, not an option, so that only who asks compiles them.
struct fp32_emulated {};

/// In a policy's place: the library's choice among kernels that give an element of C the same bits. The instruction,
/// its order of additions and the slices of k follow from n, k, types, storages, epilogue, kind of views and device
/// alone; tiles, clusters and the order of tiles follow m. So the bits of a row of C depend on that row of A and C and
/// on B alone: not on how many other rows there are, on its place among them, or on the other products of a batch. See
/// docs/accuracy.md.
struct batch_invariant {};

namespace detail {

/// Whether the library chooses the policy.
template <class Policy>
inline constexpr bool is_choice = std::is_same_v<Policy, automatic> || std::is_same_v<Policy, fp32_emulated> ||
                                  std::is_same_v<Policy, batch_invariant>;

}  // namespace detail

/// Device memory for a call that needs some: see workspace_size(). Calls on one stream may share it; calls that run at
/// the same time must not.
struct workspace {
  void* data = nullptr;   ///< at a multiple of 16 bytes; of 128 for aligned accesses to whole cache lines
  std::size_t bytes = 0;  ///< its size
};

/// The options of a call. Scalar is the accumulator's type: double for double, std::int32_t for std::int8_t (whose real
/// factors are the epilogue scale()), else float. The order of the members is part of the interface:
/// `{.alpha = 2, .stream = s}` names any of them in this order.
template <class Scalar>
struct options {
  /// Scales A B; with 0, A and B are not read, as in BLAS.
  detail::factor<Scalar> alpha = Scalar(1);
  /// Scales C; with 0, C is not read, as in BLAS.
  detail::factor<Scalar> beta = Scalar(0);
  cudaStream_t stream = nullptr;  ///< where the work is enqueued; its device is the call's
  gemm::workspace workspace{};    ///< for this call; by default from the library's memory pool
  bool zero_rest = false;         ///< of ragged views: zeroes what of C belongs to no product
  /// Promises that A was complete before the kernel before this call in the stream began: weights are, the result of
  /// that kernel is not. Kernels of sm_90 for few rows or columns, and those of float, then load A before that kernel
  /// has ended. C, the workspace and the other operand wait as ever, and the result is bitwise the same.
  ///
  /// Nothing checks the promise. If it is broken, C is of whatever mixture of old and new elements A had meanwhile, and
  /// differs from run to run. Without effect where the call first copies A, on ragged rows and on pointers(), beside
  /// scales of blocks, and for kernels that load otherwise.
  bool constant_a = false;
  bool constant_b = false;  ///< the same promise for B
};

}  // namespace gemm
