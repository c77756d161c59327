// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU reference: the product in wider arithmetic, and the error that a correct kernel may have. For tests and
//! examples; not part of <gemm/gemm.cuh>.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gemm/matrix.hpp>

namespace gemm {

/// The type in which products of T are summed for reference: twice the digits for float, 11 bits more for double.
template <class T>
using wide_t = std::conditional_t<std::is_same_v<T, double>, long double, double>;

/// One element of alpha A B + beta C and what its error is measured against.
template <class T>
struct expected {
  wide_t<T> value;      ///< alpha sum(a b) + beta c, in wide arithmetic
  wide_t<T> magnitude;  ///< |alpha| sum(|a| |b|) + |beta| |c|
};

/// The most that an element summed in T, in any order, with or without fused multiply-adds, may be off:
/// (k + 4) u magnitude, plus u |value| for the final rounding, plus what underflow may lose. u is T's unit roundoff.
/// The bound is componentwise: it holds for each element by itself, whatever the others are (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd edition, section 3.5).
template <class T>
wide_t<T> error_bound(expected<T> const& e, std::int64_t k) {
  wide_t<T> const u = std::numeric_limits<T>::epsilon() / 2;
  wide_t<T> const terms = static_cast<wide_t<T>>(k + 4);
  return terms * u * e.magnitude + u * std::abs(e.value) + terms * std::numeric_limits<T>::denorm_min();
}

/// What most elements keep to: rounding errors of both signs cancel, so that sqrt(k) takes the place of k (ibid.,
/// section 2.8). To be reported, not required.
template <class T>
wide_t<T> likely_error(expected<T> const& e, std::int64_t k) {
  wide_t<T> const u = std::numeric_limits<T>::epsilon() / 2;
  wide_t<T> const root = std::sqrt(static_cast<wide_t<T>>(k + 4));
  return root * u * e.magnitude + u * std::abs(e.value) + root * std::numeric_limits<T>::denorm_min();
}

/// alpha A B + beta C on the host: m x n results, row-major, one product of the batch after the other. The views are of
/// host memory. As in BLAS, A and B are not read where alpha is 0, nor C where beta is 0.
template <class TA, order A, class TB, order B, class TC, order C>
std::vector<expected<std::remove_const_t<TC>>> reference(matrix<TA, A> const& a, matrix<TB, B> const& b,
                                                         matrix<TC, C> const& c,
                                                         std::type_identity_t<std::remove_const_t<TC>> alpha,
                                                         std::type_identity_t<std::remove_const_t<TC>> beta) {
  using type = std::remove_const_t<TC>;
  using wide = wide_t<type>;
  auto const at = []<class T, order Order>(matrix<T, Order> const& x, std::int64_t batch, std::int64_t row,
                                           std::int64_t column) {
    std::int64_t const first = x.batch_count == 1 ? 0 : batch * x.batch_stride;
    return static_cast<wide>(x.data[first + (Order == order::row ? row * x.ld + column : column * x.ld + row)]);
  };
  std::int64_t const m = c.rows, n = c.columns, k = alpha == type(0) ? 0 : a.columns;
  std::vector<expected<type>> result(static_cast<std::size_t>(c.batch_count * m * n), expected<type>{0, 0});
  std::vector<wide> b_row(static_cast<std::size_t>(n));
  for (std::int64_t batch = 0; batch < c.batch_count; ++batch) {
    expected<type>* const product = result.data() + batch * m * n;
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t j = 0; j < n; ++j) {
        b_row[static_cast<std::size_t>(j)] = at(b, batch, l, j);
      }
      for (std::int64_t i = 0; i < m; ++i) {
        wide const a_il = at(a, batch, i, l);
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
        wide const old = beta == type(0) ? wide(0) : static_cast<wide>(beta) * at(c, batch, i, j);
        e.value = static_cast<wide>(alpha) * e.value + old;
        e.magnitude = std::abs(static_cast<wide>(alpha)) * e.magnitude + std::abs(old);
      }
    }
  }
  return result;
}

}  // namespace gemm
