// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rows of A and of C by an index in device memory, as those of tokens that a router sends to experts.
//!
//!     run(gathered(a, rows, count), b, c)          row i of the product is of row rows[i] of A
//!     run(a, b, scattered(c, rows, count))         and is stored to row rows[i] of C
//!
//! Either may be ragged, too: ragged_rows(gathered(a, rows, count), ends, groups). The host never reads the index.
#pragma once

#include <cstdint>
#include <type_traits>

#include <gemm/block_scales.hpp>
#include <gemm/matrix.hpp>
#include <gemm/scales.hpp>

namespace gemm {

/// A matrix of `rows` rows, of which row i is row index[i] of the memory. Made by gathered() and scattered().
template <class View>
struct indexed : View {
  std::int32_t const* index;  ///< as many as there are rows; device memory
};

namespace detail {

template <class T, order Order>
constexpr auto with_index(matrix<T, Order> view, std::int32_t const* rows, std::int64_t count) {
  static_assert(Order == order::row, "gemm: gathered and scattered rows are those of a gemm::row_major matrix.");
  if constexpr (Order == order::row) {
    view.rows = count;
    return indexed<matrix<T, Order>>{view, rows};
  } else {
    return view;  // so that this is the one error
  }
}

/// Whether scales of A are of rows, each by itself; and those of its gathered rows.
template <class Scales>
inline constexpr bool follow_rows = false;
template <class S>
inline constexpr bool follow_rows<scale_per_line<S, false>> = true;
template <int Columns>
inline constexpr bool follow_rows<scale_per_block<1, Columns>> = true;
template <class Scales>
constexpr auto scales_of_gathered(Scales const& scales, std::int32_t const* rows, std::int64_t all) {
  constexpr bool known = follow_rows<Scales> || (Scales::is_uniform && !is_per_block<Scales>);
  static_assert(known, "gemm: a gathered A has scales of rows, of blocks of 1 x 128, or one for all of it.");
  if constexpr (follow_rows<Scales>) {
    return gathered_scales<Scales>{scales, rows, all};
  } else {
    return scales;
  }
}

}  // namespace detail

/// An A whose row i is row rows[i] of a row-major matrix. Any row may occur often, or never.
///
/// Kernels copy the rows as they need them; those that load by TMA have them copied to the workspace first. Rows must
/// lie in the matrix: the caller promises it, nothing checks them, and others are read from memory that is not A's.
/// Batches of A and a column-major C are refused. Scales of A's rows, or of 1 x 128, are gathered with them.
///
/// @param from  m x k, whatever its own number of rows; or with scales, which are of its own rows
/// @param rows  `count` numbers in device memory
/// @param count  rows of the product: m
template <class T, order Order>
constexpr auto gathered(matrix<T, Order> const& from, std::int32_t const* rows, std::int64_t count) {
  return detail::with_index(from, rows, count);
}

template <class T, order Order, class Scales>
constexpr auto gathered(scaled_matrix<T, Order, Scales> const& from, std::int32_t const* rows, std::int64_t count) {
  auto const scales = detail::scales_of_gathered(from.scales, rows, from.view.rows);
  auto const view = detail::with_index(from.view, rows, count);
  using with_scales = scaled_matrix<T, Order, std::remove_const_t<decltype(scales)>>;
  return indexed<with_scales>{{view, scales}, rows};
}

/// A C whose row i is row rows[i] of a row-major matrix; the others are left as they are. No two may be the same: they
/// would be written in any order. Sums over several rows are a second step, in an order that is then fixed.
///
/// Epilogues are given i, the row of the product. With a beta, row rows[i] is read. Indices are promised as those of
/// gathered(). Batches and a column-major C are refused, and so is options::zero_rest.
///
/// @param to  m x n, whatever its own number of rows
/// @param rows  `count` numbers in device memory, all different
/// @param count  rows of the product: m
template <class T, order Order>
constexpr auto scattered(matrix<T, Order> const& to, std::int32_t const* rows, std::int64_t count) {
  return detail::with_index(to, rows, count);
}

// An index comes last, around all else: these would lose it. gathered(as_tf32(m), rows, count) is right.
template <class View>
void as_tf32(indexed<View> const&) = delete;
template <class View>
void transposed(indexed<View> const&) = delete;
template <class View, class... Strides>
void batched(indexed<View> const&, Strides...) = delete;
template <class View, class Value>
void scaled(indexed<View> const&, Value const&) = delete;
template <class View, class... Factor>
void residual(indexed<View> const&, Factor...) = delete;
template <class View>
void store(indexed<View> const&) = delete;
template <class View, class... Memory>
void prepacked_a(indexed<View> const&, Memory const&...) = delete;
template <class View, class... Memory>
void prepacked_b(indexed<View> const&, Memory const&...) = delete;

namespace detail {

/// Whether a view, or the one of ragged rows, has an index; and the same view without it.
template <class View>
struct index_of_view {
  static constexpr bool present = false;
  using without = View;
};
template <class View>
struct index_of_view<indexed<View>> {
  static constexpr bool present = true;
  using without = View;
};
template <class View>
inline constexpr bool is_indexed = index_of_view<View>::present;

/// Null where it has none.
template <class View>
constexpr std::int32_t const* index_in(View const& view) {
  if constexpr (is_indexed<View>) {
    return view.index;
  } else {
    return nullptr;
  }
}

}  // namespace detail

}  // namespace gemm
