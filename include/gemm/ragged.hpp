// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose numbers of rows, columns or k lie in device memory, as those of tokens that are sorted by expert.
//!
//!     run(ragged_rows(a, ends, groups), batched(b, groups), ragged_rows(c, ends, groups))       ragged m
//!     run(masked(a, counts), b, masked(c, counts))                                              batches all
//!     run(batched(a, groups), ragged_columns(b, ends, groups), ragged_columns(c, ends, groups)) ragged n
//!     run(ragged_columns(a, ends, groups), ragged_rows(b, ends, groups), batched(c, groups))    ragged k
//!
//! The host never reads the numbers: the call may be captured into a graph and replayed with others.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/cxx20.hpp>
#include <gemm/indexed.hpp>
#include <gemm/matrix.hpp>

namespace gemm {

namespace detail {

/// Rows, or columns, or k, from `first` to before `end`.
struct line_range {
  std::int64_t first, end;
};

/// Where the ranges of products lie.
struct line_ranges {
  void const* data;           // int32 or, `wide`, int64
  bool wide, counted;         // where each range ends, or how long it is, from 0 on
  std::int32_t expected = 0;  // how long ranges are on average, for the choice alone; 0: not known

  __host__ __device__ std::int64_t read(int product) const {
    return wide ? static_cast<std::int64_t const*>(data)[product] : static_cast<std::int32_t const*>(data)[product];
  }
  /// That of a product: within `extent`, and not negative, whatever the memory has.
  __host__ __device__ line_range of(int product, std::int64_t extent) const {
    std::int64_t const first = counted || product == 0 ? 0 : clamped(read(product - 1), 0, extent);
    return {first, clamped(read(product), first, extent)};
  }
  bool operator==(line_ranges const& other) const {
    return data == other.data && wide == other.wide && counted == other.counted;
  }

 private:
  __host__ __device__ static std::int64_t clamped(std::int64_t i, std::int64_t least, std::int64_t most) {
    return i < least ? least : i < most ? i : most;
  }
};

/// A number of rows as ranges have it: negative ones are refused later.
constexpr std::int32_t expected_of(std::int64_t rows) {
  constexpr std::int64_t most = 0x7fffffff;
  return static_cast<std::int32_t>(rows < -most ? -most : rows < most ? rows : most);
}

}  // namespace detail

/// A matrix, or one with scales, of whose rows each product has some. Made by ragged_rows() and masked().
template <class View>
struct ragged : View {
  detail::line_ranges ranges;
  std::int64_t groups;  ///< products
};

/// The same of columns. Made by ragged_columns().
template <class View>
struct ragged_by_column : View {
  detail::line_ranges ranges;
  std::int64_t groups;  ///< products
};

/// A and C of products with rows of their own, one after the other: product g has those from ends[g - 1], or from 0, to
/// before ends[g]. B is a batch of `groups` matrices, or one for all. As B: see ragged_columns().
///
/// A product may start at any row and be empty. Rows of C behind the last end are neither read nor written, unless
/// options::zero_rest zeroes them. Ends that fall, are negative or lie behind the last row are taken as the nearest
/// that do not: the results are then wrong, but no other memory is touched. An epilogue is given the row in all of C,
/// and the product as its batch. A call of no groups does nothing.
///
/// @param all  the rows of all products: a matrix, or one with scales; no batch
/// @param ends  `groups` numbers in device memory
/// @param groups  how many products there are
template <class View>
constexpr ragged<View> ragged_rows(View const& all, std::int32_t const* ends, std::int64_t groups) {
  return {all, {ends, false, false}, groups};
}
template <class View>
constexpr ragged<View> ragged_rows(View const& all, std::int64_t const* ends, std::int64_t groups) {
  return {all, {ends, true, false}, groups};
}

/// B and C of products with columns of their own: as ragged_rows() of A and C, and A is a batch or one matrix.
///
/// Or A of products with a k of their own, whose B is ragged_rows() with the same ends, as the gradient of experts'
/// weights has. Product g multiplies the columns of A and the rows of B from ends[g - 1] to before ends[g].
///
/// C is then a batch of `groups` matrices, all of which are written: with a finite alpha that of a product without k
/// becomes epilogue(beta * C). What lies outside a product's k does not reach it, be it NaN or Inf. Scales are of rows,
/// columns or a matrix, for each product by their batch_stride; those of a product without k are read, too.
///
/// @param all  the columns of all products: a matrix, or one with scales; no batch
/// @param ends  `groups` numbers in device memory; what ragged_rows() says of those that fall or lie outside holds here
/// @param groups  how many products there are
template <class View>
constexpr ragged_by_column<View> ragged_columns(View const& all, std::int32_t const* ends, std::int64_t groups) {
  return {all, {ends, false, false}, groups};
}
template <class View>
constexpr ragged_by_column<View> ragged_columns(View const& all, std::int64_t const* ends, std::int64_t groups) {
  return {all, {ends, true, false}, groups};
}

/// What is known of the rows of masked() beforehand.
struct masked_options {
  /// The rows that a product has on average; 0: not known. By it the library chooses; the results are right for any
  /// counts. It is taken from C's view.
  std::int64_t expected = 0;
};

/// A and C of a batch, of whose matrices only the first rows are multiplied: counts[g] of matrix g. The other rows of C
/// are neither read nor written. B is a batch of as many matrices, or one for all.
///
/// @param batch  a batch, with as many rows as a product may have
/// @param counts  a number in device memory for each matrix, taken as 0 or as all rows where it is less or more
/// @param known  what the host knows: `{.expected = 20}`. Without it the library chooses as for all rows
template <class View>
constexpr ragged<View> masked(View const& batch, std::int32_t const* counts, masked_options const& known = {}) {
  return {batch, {counts, false, true, detail::expected_of(known.expected)}, detail::view_of(batch).batch_count};
}
template <class View>
constexpr ragged<View> masked(View const& batch, std::int64_t const* counts, masked_options const& known = {}) {
  return {batch, {counts, true, true, detail::expected_of(known.expected)}, detail::view_of(batch).batch_count};
}

namespace detail {

template <class>
inline constexpr bool is_ragged = false;
template <class View>
inline constexpr bool is_ragged<ragged<View>> = true;

template <class>
inline constexpr bool is_ragged_by_column = false;
template <class View>
inline constexpr bool is_ragged_by_column<ragged_by_column<View>> = true;
template <class View>
inline constexpr bool has_ranges = is_ragged<View> || is_ragged_by_column<View>;

/// What products have of their own: m, n or k.
template <class A, class B, class C>
inline constexpr bool has_ragged_rows = is_ragged<A>&& is_ragged<C> && !has_ranges<B>;
template <class A, class B, class C>
inline constexpr bool has_ragged_columns = is_ragged_by_column<B>&& is_ragged_by_column<C> && !has_ranges<A>;
template <class A, class B, class C>
inline constexpr bool has_ragged_k = is_ragged_by_column<A>&& is_ragged<B> && !has_ranges<C>;

template <template <class> class With, class View>
requires has_ranges<With<View>>
struct index_of_view<With<View>> {
  static constexpr bool present = index_of_view<View>::present;
  using without = With<typename index_of_view<View>::without>;
};

}  // namespace detail

}  // namespace gemm
