// SPDX-License-Identifier: BSL-1.0
//! @file
//! Views of prepacked operands: see prepack(). They own nothing.
#pragma once

#include <type_traits>

#include <gemm/matrix.hpp>
#include <gemm/options.hpp>

namespace gemm {

/// The operand of a product that a matrix is.
enum class side : unsigned char { a, b };

/// A matrix of floats as an operand, and the memory for its split terms. Made by prepacked_a(), prepacked_b() and
/// transposed().
template <class T, order Order, side Side, class Terms>
struct prepacked_matrix {
  using terms = Terms;                         ///< the format of the terms; void: the policy has none
  static constexpr gemm::side operand = Side;  ///< A or B

  matrix<T, Order> view;  ///< the matrix itself
  workspace memory;       ///< the terms, once prepack() has run
};

/// The transpose, in the same memory: the other operand of the transposed product.
template <class T, order Order, side Side, class Terms>
constexpr auto transposed(prepacked_matrix<T, Order, Side, Terms> const& m) {
  auto const view = transposed(m.view);
  constexpr side other = Side == side::a ? side::b : side::a;
  return prepacked_matrix<T, view.layout, other, Terms>{view, m.memory};
}

namespace detail {

template <class>
inline constexpr bool is_prepacked = false;
template <class T, order Order, side Side, class Terms>
inline constexpr bool is_prepacked<prepacked_matrix<T, Order, Side, Terms>> = true;

}  // namespace detail

}  // namespace gemm
