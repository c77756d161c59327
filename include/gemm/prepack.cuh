// SPDX-License-Identifier: BSL-1.0
//! @file
//! Operands of the policies of terms (fp16x3, bf16x6) that are split once and multiplied many times, as weights
//! are.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include <gemm/emulation/prepacked_call.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm {

namespace detail {

template <class Policy, side Side, class T, order Order>
constexpr auto make_prepacked(matrix<T, Order> const& m, workspace memory) {
  using terms = typename terms_of_policy<Policy>::type;
  constexpr bool floats = std::is_same_v<std::remove_const_t<T>, float>;
  static_assert(floats, "gemm: only floats are prepacked. Pass the matrix itself.");
  constexpr bool takes_apart = !std::is_void_v<terms>;
  static_assert(!floats || takes_apart,
                "gemm: only fp32_emulated and fp16x3 or bf16x6 policies, not equilibrated, multiply prepacked "
                "operands. Name one, or pass the matrix itself.");
  return prepacked_matrix<T const, Order, Side, terms>{
      {m.data, m.rows, m.columns, m.ld, m.step, m.batch_count, m.batch_stride, m.factor}, memory};
}

}  // namespace detail

/// A matrix, or a batch of them, as a prepacked A (m x k), or B (k x n), with memory for its terms: a view that run(),
/// can_run(), workspace_size() and chosen() take in the matrix's place, once prepack() has filled the memory.
///
/// Policy: fp32_emulated, or an fp16x3 or bf16x6 policy. What is prepacked for one is for all with the same
/// terms (and low_scale), whatever their tiles; for fp32_emulated, fp16x3's without a low_scale.
///
/// Results are bitwise those of the matrix itself, its own storage, leading dimension and batch included; what is
/// saved is the pass over it, and its part of the workspace. The matrix must remain where it is, unchanged: where
/// fp32_emulated or `with_fallback` leave a product to float's multiply-adds, or lines are infinite, it is read itself.
/// So it is if alpha or k is 0: then neither the terms nor the matrix are. A view's factor is no part of the terms: the
/// call multiplies alpha by it.
///
/// The memory belongs to the caller, at a multiple of 16 bytes, better 128; prepacked_size() says how much. Line by
/// line (rows of A, columns of B, matrix after matrix of the batch) it holds, each beginning at a multiple of 128
/// bytes:
///
///     terms       4 bytes for every element, k rounded up to 64: for each 32 k the high halves, then the low ones; of
///                 bf16x6 6 bytes (see split_formats.cuh)
///     exponents   4 bytes for each line: that of the power of two which it was multiplied by
///     facts       4 bytes for each line: what `with_fallback` must know of it (see error_facts.cuh)
///     maxima      where elements of a line are no neighbours in memory, for prepack() alone: 4 bytes for each line and
///                 slab of its k, of which there are up to 64, none where there is one
template <class Policy = fp32_emulated, class T, order Order>
constexpr auto prepacked_a(matrix<T, Order> const& m, workspace memory = {}) {
  return detail::make_prepacked<Policy, side::a>(m, memory);
}
template <class Policy = fp32_emulated, class T, order Order>
constexpr auto prepacked_b(matrix<T, Order> const& m, workspace memory = {}) {
  return detail::make_prepacked<Policy, side::b>(m, memory);
}

/// Bytes of device memory for the terms of a prepacked_a() or prepacked_b(), whatever memory that has so far; 0 where
/// the matrix itself breaks a rule, or is too large, as prepack() says.
template <class T, order Order, side Side, class Terms>
[[nodiscard]] std::size_t prepacked_size(prepacked_matrix<T, Order, Side, Terms> const& m) {
  return detail::validate_prepacked_shape(m) ? detail::terms_bytes<Terms>(detail::shape_of(m)) : 0;
}

/// Takes a matrix apart, into the memory of its view: enqueued on the stream, capturable, without a workspace.
///
/// Calls that multiply the terms come after it in the stream, or wait for it; any number may read them at once, from
/// several streams and threads. To change the matrix or to prepack anew, wait for those that read.
///
/// Returns a status as run() does.
template <class T, order Order, side Side, class Terms>
[[nodiscard]] status prepack(prepacked_matrix<T, Order, Side, Terms> const& m, cudaStream_t stream = nullptr) {
  if constexpr (std::is_same_v<T, float const> && !std::is_void_v<Terms>) {
    status const result = detail::validate_prepack(m);
    return result ? detail::enqueue_prepack(m, stream) : result;
  }
  return {};
}

}  // namespace gemm
