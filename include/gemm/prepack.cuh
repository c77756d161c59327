// SPDX-License-Identifier: BSL-1.0
//! @file
//! Prepacked operands: floats that fp16x3 or bf16x6 policies split once and multiply many times, such as weights.
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
  constexpr bool has_terms = !std::is_void_v<terms>;
  static_assert(!floats || has_terms,
                "gemm: only fp32_emulated and fp16x3 or bf16x6 policies, not equilibrated, multiply prepacked "
                "operands. Name one, or pass the matrix itself.");
  return prepacked_matrix<T const, Order, Side, terms>{
      {m.data, m.rows, m.columns, m.ld, m.step, m.batch_count, m.batch_stride, m.factor}, memory};
}

}  // namespace detail

/// A matrix, or a batch of them, as a prepacked A (m x k), with memory for its split terms. The calls of run.cuh take
/// it in the matrix's place, once prepack() has filled the memory.
///
/// Results are bitwise those of the matrix itself; saved are the pass that splits it and its part of the workspace. A
/// view's factor is no part of the terms: the call multiplies alpha by it.
///
/// The matrix must remain where it is, unchanged: a fallback to float's multiply-adds reads it, and so do rows with
/// infinite elements. With alpha = 0 or k = 0 neither the terms nor the matrix are read.
///
/// The memory belongs to the caller and has prepacked_size() bytes. It holds four arrays, each at a multiple of 128
/// bytes. They have an entry for each row of A or column of B, product after product:
///
///     terms       4 bytes an element, k rounded up to 64: for each 32 k the high halves, then the low ones; of bf16x6
///                 6 bytes an element (see split_formats.cuh)
///     exponents   4 bytes: the exponent of the power of two that scales the row
///     facts       4 bytes: what the error check of `with_fallback` needs (see error_facts.cuh)
///     maxima      for prepack() alone, where k is not contiguous: 4 bytes for each of up to 64 slabs of k
///
/// @tparam Policy  fp32_emulated, or an fp16x3 or bf16x6 policy. The terms serve all policies of the same kind and
///     low_scale, whatever their tiles; those of fp32_emulated serve fp16x3 without a low_scale
/// @param m  floats; any storage
/// @param memory  at a multiple of 16 bytes, better 128; may be left out to ask for prepacked_size()
template <class Policy = fp32_emulated, class T, order Order>
constexpr auto prepacked_a(matrix<T, Order> const& m, workspace memory = {}) {
  return detail::make_prepacked<Policy, side::a>(m, memory);
}
/// The same as a prepacked B (k x n): see prepacked_a().
template <class Policy = fp32_emulated, class T, order Order>
constexpr auto prepacked_b(matrix<T, Order> const& m, workspace memory = {}) {
  return detail::make_prepacked<Policy, side::b>(m, memory);
}

/// Bytes of device memory that a prepacked_a() or prepacked_b() needs, whatever memory it has so far. It is 0 where the
/// matrix breaks a rule or is too large: prepack() says which.
template <class T, order Order, side Side, class Terms>
[[nodiscard]] std::size_t prepacked_size(prepacked_matrix<T, Order, Side, Terms> const& m) {
  return detail::validate_prepacked_shape(m) ? detail::terms_bytes<Terms>(detail::shape_of(m)) : 0;
}

/// Splits a matrix into the memory of its view: enqueued on the stream, capturable, without a workspace.
///
/// Calls that multiply the terms must come after it in the stream, or wait for it. Any number may read them at once,
/// from several streams and threads. Before the matrix changes or is prepacked anew, wait for the readers.
///
/// @param m  of prepacked_a() or prepacked_b(), with memory
/// @param stream  where the work is enqueued, on its device
/// @return a status as run() does
template <class T, order Order, side Side, class Terms>
[[nodiscard]] static status prepack(prepacked_matrix<T, Order, Side, Terms> const& m, cudaStream_t stream = nullptr) {
  if constexpr (std::is_same_v<T, float const> && !std::is_void_v<Terms>) {
    detail::known_device const device(stream);
    status result = detail::validate_prepack(m);
    result = result ? device.status() : result;
    return result ? detail::enqueue_prepack(m, stream) : result;
  }
  return {};
}

}  // namespace gemm
