// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU reference: the product in wider arithmetic, and a bound on a correct kernel's error. For tests and examples;
//! not part of <gemm/gemm.cuh>.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gemm/block_scales.hpp>
#include <gemm/element.hpp>
#include <gemm/element_memory.hpp>
#include <gemm/epilogue/factors.hpp>
#include <gemm/indexed.hpp>
#include <gemm/matrix.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/ragged.hpp>
#include <gemm/scales.hpp>

namespace gemm {

/// The accumulator of the reference for elements of T: 11 bits more than double for double, else double (exact for
/// std::int8_t).
template <class T>
using wide_t = typename element_traits<T>::reference;

namespace detail {

/// A bound on the error of `terms` roundings in T's accumulator and one to Out.
template <class T, class Out>
wide_t<T> rounded_bound(wide_t<T> value, wide_t<T> magnitude, wide_t<T> terms) {
  constexpr bool exact_accum = std::is_integral_v<accumulator<T>>;
  using sum = element_traits<epilogue_value<T, Out>>;
  using out = element_traits<Out>;
  wide_t<T> const roundings = exact_accum ? 4 : terms;
  wide_t<T> const error =
      roundings * (sum::unit / 2 * magnitude + sum::least) + static_cast<wide_t<T>>(cut_off_of<T>) * magnitude;
  return error + out::unit / 2 * (std::abs(value) + error) + out::least;
}

}  // namespace detail

/// One element of alpha A B + beta C, A and B of T, and the magnitude for its error bound.
template <class T>
struct expected {
  wide_t<T> value;      ///< alpha sum(a b) + beta c, in wide arithmetic
  wide_t<T> magnitude;  ///< |alpha| sum(|a| |b|) + |beta| |c|
};

/// A bound on the error of an element of C: (k + 4) u magnitude + u_out |value|, plus a term for underflow, and for fp8
/// what tensor cores truncate. It is accumulated in T's accumulator in any order, with or without fused multiply-adds,
/// and rounded to Out. u and u_out are the unit roundoffs of accumulator and output.
///
/// The bound is componentwise. Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 3.5.
///
/// @param e  the element and its magnitude
/// @param k  products in its sum
/// @param promotion  what a policy says with promote<>, for half and bf16: then the bound has promotion + k / promotion
///     + 5 instead of k + 4
template <class T, class Out = T>
wide_t<T> error_bound(expected<T> const& e, std::int64_t k, std::int64_t promotion = 0) {
  bool const promotes = promotion > 0 && promotion < k;
  std::int64_t const terms = promotes ? promotion + (k + promotion - 1) / promotion : k;
  return detail::rounded_bound<T, Out>(e.value, e.magnitude, static_cast<wide_t<T>>(terms + 4));
}

/// The error that most elements stay below: rounding errors of both signs cancel, so sqrt(k) replaces k. To be
/// reported, not required. Source: ibid., section 2.8.
template <class T, class Out = T>
wide_t<T> likely_error(expected<T> const& e, std::int64_t k) {
  return detail::rounded_bound<T, Out>(e.value, e.magnitude, std::sqrt(static_cast<wide_t<T>>(k + 4)));
}

namespace detail {

/// The scale of an operand's element; 1 where it has none.
template <class M>
auto scale_of_element(M const& m, std::int64_t row, std::int64_t column, std::int64_t batch) {
  auto const scales = scales_of(m);
  if constexpr (is_per_block<std::remove_const_t<decltype(scales)>>) {
    return scales.of_element(row, column, batch);
  } else {
    return scales.at(row, column, batch);
  }
}

/// The row of memory that is a view's row.
template <class M>
std::int64_t row_in(M const& m, std::int64_t row) {
  std::int32_t const* const index = index_in(m);
  return index != nullptr ? index[row] : row;
}

}  // namespace detail

/// An element of C, and a bound on the error of a correct kernel's.
template <class T>
struct bounded {
  wide_t<T> value, error;
};

/// What gated makes of two adjacent elements of reference(): activation(gate) * up, rounded to Out.
///
/// @param activation  a function of one wide_t<T>
/// @param slope  the greatest of the activation: 1 of relu, 1.1 of silu, 1.13 of gelu, 0.25 of sigmoid
/// @param k  products in each sum
template <class T, class Out, class Activation>
bounded<T> gated_reference(expected<T> const& gate, expected<T> const& up, Activation activation, wide_t<T> slope,
                           std::int64_t k) {
  using accum = detail::accumulator<T>;
  constexpr wide_t<T> unit = element_traits<accum>::unit;
  constexpr wide_t<T> units_of_activation = 8;  // its own error
  wide_t<T> const of_gate = activation(gate.value), value = of_gate * up.value;
  wide_t<T> const error_up = error_bound<T, accum>(up, k),
                  error_gate = slope * error_bound<T, accum>(gate, k) + units_of_activation * unit * std::abs(of_gate);
  wide_t<T> const error = std::abs(of_gate) * error_up + error_gate * (std::abs(up.value) + error_up) +
                          unit * (std::abs(value) + element_traits<accum>::least);
  return {value, error + element_traits<Out>::unit / 2 * (std::abs(value) + error) + element_traits<Out>::least};
}

/// alpha A B + beta C on the host. The views and their scales are of host memory, as run() takes them; A may be
/// gathered() and C scattered(). As in BLAS, A and B are not read where alpha or k is 0, nor is C where beta is 0.
///
/// Integers do not wrap: where a sum of std::int8_t products exceeds std::int32_t, the library's differs by a multiple
/// of 2^32.
///
/// @return m x n elements, row-major, product after product of the batch
template <class A, class B, class C>
std::vector<expected<typename detail::viewed<A>::value_type>> reference(
    A const& given_a, B const& given_b, C const& c,
    std::type_identity_t<detail::accumulator<typename detail::viewed<A>::value_type>> alpha,
    std::type_identity_t<detail::accumulator<typename detail::viewed<A>::value_type>> beta) {
  auto const& a = detail::view_of(given_a);
  auto const& b = detail::view_of(given_b);
  using type = typename detail::viewed<A>::value_type;
  static_assert(std::is_same_v<wide_t<type>, wide_t<typename detail::viewed<B>::value_type>>);
  using wide = wide_t<type>;
  auto const element = []<class E, order Order>(matrix<E, Order> const& x, std::int64_t batch, std::int64_t row,
                                                std::int64_t column) {
    std::int64_t const first = x.batch_count == 1 ? 0 : batch * x.batch_stride;
    std::int64_t const index = first + (Order == order::row ? row * x.ld + column : column * x.ld + row);
    return static_cast<wide>(detail::element_at<std::remove_cv_t<E>>(x.data, index));
  };
  alpha = alpha == 0 ? alpha : detail::times_factors<decltype(alpha)>(alpha, a.factor, b.factor);
  std::int64_t const m = c.rows, n = c.columns, k = alpha == 0 ? 0 : a.columns;
  std::vector<expected<type>> result(static_cast<std::size_t>(c.batch_count * m * n), expected<type>{0, 0});
  std::vector<wide> b_row(static_cast<std::size_t>(n));
  for (std::int64_t batch = 0; batch < c.batch_count; ++batch) {
    expected<type>* const product = result.data() + batch * m * n;
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t j = 0; j < n; ++j) {
        b_row[static_cast<std::size_t>(j)] =
            element(b, batch, l, j) * static_cast<wide>(detail::scale_of_element(given_b, l, j, batch));
      }
      for (std::int64_t i = 0; i < m; ++i) {
        wide const a_il = element(a, batch, detail::row_in(a, i), l) *
                          static_cast<wide>(detail::scale_of_element(given_a, i, l, batch));
        expected<type>* const row = product + i * n;
        for (std::int64_t j = 0; j < n; ++j) {
          wide const term = a_il * b_row[static_cast<std::size_t>(j)];
          row[j].value += term;
          row[j].magnitude += std::abs(term);
        }
      }
    }
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        expected<type>& e = product[i * n + j];
        wide const old = beta == 0 ? wide(0) : static_cast<wide>(beta) * element(c, batch, detail::row_in(c, i), j);
        wide const scale = k == 0 ? wide(0) : static_cast<wide>(alpha);
        e.value = scale * e.value + old;
        e.magnitude = std::abs(scale) * e.magnitude + std::abs(old);
      }
    }
  }
  return result;
}

/// The same of a ragged k, whose ends are in host memory, too, and whose operands have no scales.
///
/// @return m x n elements, row-major, product after product
template <class TA, order OrderA, class TB, order OrderB, class TC, order C>
std::vector<expected<std::remove_const_t<TA>>> reference(
    ragged_by_column<matrix<TA, OrderA>> const& a, ragged<matrix<TB, OrderB>> const& b, matrix<TC, C> const& c,
    std::type_identity_t<detail::accumulator<std::remove_const_t<TA>>> alpha,
    std::type_identity_t<detail::accumulator<std::remove_const_t<TA>>> beta) {
  std::vector<expected<std::remove_const_t<TA>>> result;
  for (std::int64_t product = 0; product < a.groups; ++product) {
    detail::line_range const range = a.ranges.of(static_cast<int>(product), a.columns);
    matrix<TA, OrderA> of_a = a;
    matrix<TB, OrderB> of_b = b;
    matrix<TC, C> of_c = c;
    of_a.data += OrderA == order::row ? range.first : range.first * a.ld;
    of_b.data += OrderB == order::row ? range.first * b.ld : range.first;
    of_c.data += product * c.batch_stride;
    of_a.columns = of_b.rows = range.end - range.first;
    of_c.batch_count = 1;
    auto const own = reference(of_a, of_b, of_c, alpha, beta);
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

}  // namespace gemm
