// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of operands that lie in device memory, as part of a view. They own nothing.
//!
//!     C = epilogue(alpha * sum over k of (scale_a A) (scale_b B) + beta * C)
//!
//! A kind of scales is a struct that says where it may be (`on_a`, `on_b`), whether it is one number for all of a
//! product's C (`is_uniform`), its rules (`check()`), and the factor of an element of C (`at()`).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/element.hpp>
#include <gemm/matrix.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm {

namespace detail {

/// The rules of `needed` scales for each product; `length` is negative where the caller did not say.
inline status check_scales(char const* name, char const* each, void const* data, std::int64_t length,
                           std::int64_t needed) {
  if (data == nullptr) {
    return broken_rule("the scales of %s are null, need one number per %s of %s", name, each, name);
  }
  if (length >= 0 && length < needed) {
    return broken_rule("the scales of %s are %lld numbers, need one per %s of %s: %lld", name,
                       static_cast<long long>(length), each, name, static_cast<long long>(needed));
  }
  return {};
}

}  // namespace detail

/// No scales: the operand beside one that has some. Not for users.
struct no_scales {
  static constexpr bool on_a = true, on_b = true, is_uniform = true;

  /// A factor that changes nothing.
  __host__ __device__ static float at(std::int64_t, std::int64_t, std::int64_t) { return 1; }
};

/// One number in device memory for all elements of a matrix. Made by scaled(view, number).
template <class S>
struct scale_per_matrix {
  using number = S;
  static constexpr bool on_a = true, on_b = true, is_uniform = true;

  S const* data;              ///< the number
  std::int64_t batch_stride;  ///< to that of the next product

  /// The rules of the scales of a rows x columns operand.
  status check(char const* name, std::int64_t, std::int64_t, std::int64_t) const {
    return detail::check_scales(name, "matrix", data, -1, 1);
  }
  /// The factor of an element of C.
  __host__ __device__ S at(std::int64_t, std::int64_t, std::int64_t batch) const { return data[batch * batch_stride]; }
};

/// One number in device memory for each row of A or column of B. Made by per_row() and per_column().
template <class S, bool ByColumn>
struct scale_per_line {
  using number = S;
  static constexpr bool on_a = !ByColumn, on_b = ByColumn, is_uniform = false;

  S const* data;              ///< the first row's or column's
  std::int64_t length;        ///< how many there are; negative: not said
  std::int64_t batch_stride;  ///< to those of the next product

  /// The rules of the scales of a rows x columns operand.
  status check(char const* name, std::int64_t rows, std::int64_t columns, std::int64_t) const {
    return detail::check_scales(name, ByColumn ? "column" : "row", data, length, ByColumn ? columns : rows);
  }
  /// The factor of an element of C.
  __host__ __device__ S at(std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return data[batch * batch_stride + (ByColumn ? column : row)];
  }
};

/// Scales that follow the rows of a gathered A: row i has those of row index[i]. Made by gathered().
template <class Scales>
struct gathered_scales : Scales {
  std::int32_t const* index;  ///< the row of A that each row of the product is of
  std::int64_t all;           ///< rows of A

  /// The rules of the scales of A, whatever rows of it are gathered.
  status check(char const* name, std::int64_t, std::int64_t columns, std::int64_t batch) const {
    return Scales::check(name, all, columns, batch);
  }
  /// The factor of an element of C.
  __host__ __device__ auto at(std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return Scales::at(index[row], column, batch);
  }
};

/// Scales of the transpose.
constexpr no_scales transposed(no_scales const&) { return {}; }
/// Scales of the transpose.
template <class S>
constexpr scale_per_matrix<S> transposed(scale_per_matrix<S> const& s) {
  return s;
}
/// Scales of the transpose.
template <class S, bool ByColumn>
constexpr scale_per_line<S, !ByColumn> transposed(scale_per_line<S, ByColumn> const& s) {
  return {s.data, s.length, s.batch_stride};
}

/// A matrix as an operand, and its scales in device memory. Made by scaled() and transposed().
template <class T, order Order, class Scales>
struct scaled_matrix {
  matrix<T, Order> view;  ///< the matrix itself
  Scales scales;          ///< the scales
};

/// The transpose, on the same memory.
template <class T, order Order, class Scales>
constexpr auto transposed(scaled_matrix<T, Order, Scales> const& m) {
  auto const view = transposed(m.view);
  auto const scales = transposed(m.scales);
  return scaled_matrix<T, view.layout, std::remove_const_t<decltype(scales)>>{view, scales};
}

namespace detail {

/// The type of scales of elements of T.
template <class T>
using scale_of = std::conditional_t<std::is_same_v<std::remove_const_t<T>, double>, double, float>;

template <class T, order Order, class Scales>
constexpr auto with_scales(matrix<T, Order> const& m, Scales const& scales) {
  static_assert(std::is_same_v<typename Scales::number, scale_of<T>>,
                "gemm: scales in device memory are doubles for a matrix of doubles, floats for all others.");
  return scaled_matrix<T const, Order, Scales>{
      {m.data, m.rows, m.columns, m.ld, m.step, m.batch_count, m.batch_stride, m.factor}, scales};
}

}  // namespace detail

/// Scales of the rows of A, for scaled().
///
/// @param values  one per row, neighbours in device memory: float, for a matrix of doubles double
/// @param length  how many there are; if not negative, a call checks that it covers the rows
/// @param batch_stride  from a product's to those of the next; 0: all products have the same
template <class S>
constexpr scale_per_line<S, false> per_row(S const* values, std::int64_t length = -1, std::int64_t batch_stride = 0) {
  return {values, length, batch_stride};
}

/// Scales of the columns of B, for scaled(); otherwise as per_row().
template <class S>
constexpr scale_per_line<S, true> per_column(S const* values, std::int64_t length = -1, std::int64_t batch_stride = 0) {
  return {values, length, batch_stride};
}

/// The same elements, each times one number in device memory, which the kernel reads: as the scales of torch._scaled_mm
/// with one element, and cublasLt's MATRIX_SCALE_SCALAR_32F.
///
/// Scales are floats, of a matrix of doubles doubles. The accumulator is multiplied by alpha and the scales, in their
/// type, before beta times C is added: so an epilogue of int8 gets floats. A NaN or an infinite scale propagates as
/// IEEE arithmetic says. With k = 0 or alpha = 0 none is read. A call refuses a null pointer where they are.
///
/// @param m  the matrix, an operand
/// @param number  in device memory; a batch_stride further on that of the next product
/// @param batch_stride  from a product's number to that of the next; 0: all products have the same
template <class T, order Order, class S>
constexpr auto scaled(matrix<T, Order> const& m, S const* number, std::int64_t batch_stride = 0) {
  return detail::with_scales(m, scale_per_matrix<S>{number, batch_stride});
}

/// The same elements, those of each row of an A or each column of a B times a number in device memory: as a scale_a
/// (m, 1) or a scale_b (1, n) of torch._scaled_mm, and cublasLt's MATRIX_SCALE_OUTER_VEC_32F. Otherwise as one number.
template <class T, order Order, class S, bool ByColumn>
constexpr auto scaled(matrix<T, Order> const& m, scale_per_line<S, ByColumn> const& scales) {
  return detail::with_scales(m, scales);
}

/// Scaled once more, by a number that a call multiplies alpha by.
template <class T, order Order, class Scales>
constexpr auto scaled(scaled_matrix<T, Order, Scales> const& m,
                      typename detail::factor_of<std::remove_cv_t<T>>::type value) {
  return scaled_matrix<T, Order, Scales>{scaled(m.view, value), m.scales};
}

namespace detail {

template <class>
inline constexpr bool is_scaled = false;
template <class T, order Order, class Scales>
inline constexpr bool is_scaled<scaled_matrix<T, Order, Scales>> = true;

/// The scales of a view that may have some.
template <class M>
constexpr auto scales_of(M const& m) {
  if constexpr (is_scaled<M>) {
    return m.scales;
  } else {
    return no_scales{};
  }
}

/// A view without its scales.
template <class M>
constexpr auto const& without_scales(M const& m) {
  if constexpr (is_scaled<M>) {
    return m.view;
  } else {
    return m;
  }
}

template <class M>
using unscaled = std::remove_cvref_t<decltype(without_scales(std::declval<M const&>()))>;

}  // namespace detail

}  // namespace gemm
