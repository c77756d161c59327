// SPDX-License-Identifier: BSL-1.0
//! @file
//! Views of a matrix, or of a strided batch of matrices, in device memory. They own nothing.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/element.hpp>

namespace gemm {

/// Which elements are neighbours in memory: `row` those of a row (row-major), `column` those of a column.
enum class order : unsigned char { row, column };

namespace detail {

/// The type of a view's factor: what its elements are computed with, which for operands is the accumulator.
template <class T>
struct factor_of {
  using type = float;  // of no element type: for the call to say
};
template <class T>
requires(std::is_arithmetic_v<widened<T>>) struct factor_of<T> {
  using type = widened<T>;
};

}  // namespace detail

/// A rows x columns matrix in device memory, or batch_count of them, batch_stride elements apart.
///
/// Made by row_major(), col_major(), transposed() and batched(); sizes and strides are in elements. Making a view
/// checks nothing: a leading dimension too small or a null pointer is reported by the call that takes it.
template <class T, order Order>
struct matrix {
  using element = T;                       ///< float, or float const where the matrix is only read
  using value_type = std::remove_cv_t<T>;  ///< element without const
  static constexpr order layout = Order;   ///< row- or column-major

  T* data;                        ///< first element; device memory; may be null where there is nothing to read
  std::int64_t rows;              ///< 0 or more
  std::int64_t columns;           ///< 0 or more
  std::int64_t ld;                ///< leading dimension: elements between the starts of two rows (two columns)
  std::int64_t step = 1;          ///< elements between neighbours inside a row (a column); calls accept 1 alone
  std::int64_t batch_count = 1;   ///< matrices in the batch
  std::int64_t batch_stride = 0;  ///< elements between two matrices of the batch; 0 uses one matrix for all of them

  /// Scales all elements of an operand or a residual: a call multiplies alpha by it. 1 for a matrix that is written.
  typename detail::factor_of<value_type>::type factor = 1;
};

/// A row-major matrix whose rows are ld elements apart.
template <class T>
constexpr matrix<T, order::row> row_major(T* data, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  return {.data = data, .rows = rows, .columns = columns, .ld = ld};
}

/// A row-major matrix without gaps between its rows.
template <class T>
constexpr matrix<T, order::row> row_major(T* data, std::int64_t rows, std::int64_t columns) {
  return row_major(data, rows, columns, columns > 1 ? columns : 1);
}

/// A column-major matrix whose columns are ld elements apart.
template <class T>
constexpr matrix<T, order::column> col_major(T* data, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  return {.data = data, .rows = rows, .columns = columns, .ld = ld};
}

/// A column-major matrix without gaps between its columns.
template <class T>
constexpr matrix<T, order::column> col_major(T* data, std::int64_t rows, std::int64_t columns) {
  return col_major(data, rows, columns, rows > 1 ? rows : 1);
}

/// The same memory as an operand whose floats are rounded to TF32 before they are multiplied: see tf32.
template <class T, order Order>
requires(std::is_same_v<std::remove_const_t<T>, float>) constexpr auto as_tf32(matrix<T, Order> const& m) {
  return matrix<tf32 const, Order>{
      reinterpret_cast<tf32 const*>(m.data), m.rows, m.columns, m.ld, m.step, m.batch_count, m.batch_stride, m.factor};
}

/// A rank-2 mdspan whose layout has strides: std::mdspan, its reference implementation, or cuda::std::mdspan.
template <class M>
concept mdspan_like = requires(M const& m) {
  typename M::layout_type;
  typename M::element_type;
  m.data_handle();
  m.accessor();
  { m.extent(0) } -> std::convertible_to<std::int64_t>;
  { m.stride(0) } -> std::convertible_to<std::int64_t>;
  requires(M::rank() == 2);
};

namespace detail {

/// Whether an accessor finds element i at pointer[i], as those of mdspan, aligned and restrict ones do.
template <class Accessor>
concept plain_accessor = std::is_empty_v<Accessor> &&
    requires(Accessor const& accessor, typename Accessor::data_handle_type handle) {
  { handle } -> std::convertible_to<typename Accessor::element_type*>;
  { &accessor.access(handle, std::size_t{}) } -> std::same_as<typename Accessor::element_type*>;
};

/// What std::linalg::scaled() makes.
template <class Accessor>
concept scaled_accessor = requires(Accessor const& accessor) {
  accessor.scaling_factor();
  accessor.nested_accessor();
};

/// An accessor's elements in memory, which only those of plain ones may be written to; void where it is not known.
template <class Accessor>
struct accessed {
  using type = void;
};
template <plain_accessor Accessor>
struct accessed<Accessor> {
  using type = typename Accessor::element_type;
};
template <scaled_accessor Accessor>
struct accessed<Accessor> {
  using nested = std::remove_cvref_t<decltype(std::declval<Accessor const&>().nested_accessor())>;
  using type = std::add_const_t<typename accessed<nested>::type>;
};

/// The product of an accessor's factors.
template <class Factor, class Accessor>
constexpr Factor factor_in(Accessor const& accessor) {
  if constexpr (scaled_accessor<Accessor>) {
    constexpr bool whole = !std::is_integral_v<Factor> || std::is_integral_v<decltype(accessor.scaling_factor())>;
    static_assert(whole, "gemm: integers are scaled by integers. Use the epilogue gemm::scale.");
    return multiply(static_cast<Factor>(accessor.scaling_factor()), factor_in<Factor>(accessor.nested_accessor()));
  } else {
    return Factor(1);
  }
}

template <order Order, mdspan_like M>
constexpr auto view_of_mdspan(M const& m) {
  using accessor = std::remove_cvref_t<decltype(m.accessor())>;
  using element = typename accessed<accessor>::type;
  constexpr bool known = !std::is_void_v<element>;
  static_assert(known,
                "gemm: an mdspan's accessor must be default, aligned, restrict or scaled. "
                "Make the mdspan without it.");
  if constexpr (known) {
    auto const size = [&](int r) { return static_cast<std::int64_t>(m.extent(static_cast<std::size_t>(r))); };
    auto const stride = [&](int r) { return static_cast<std::int64_t>(m.stride(static_cast<std::size_t>(r))); };
    constexpr int along = Order == order::row ? 1 : 0;  // the index whose neighbours are adjacent in memory
    std::int64_t const length = size(along), count = size(1 - along);
    using view = matrix<element, Order>;
    // A stride that is never taken (extent 0 or 1) says nothing, whatever its value.
    return view{.data = m.data_handle(),
                .rows = size(0),
                .columns = size(1),
                .ld = count > 1 ? stride(1 - along) : (length > 1 ? length : 1),
                .step = length > 1 ? stride(along) : 1,
                .factor = factor_in<decltype(view::factor)>(m.accessor())};
  } else {
    return matrix<std::remove_const_t<typename M::element_type>, Order>{};  // so that this is the one error
  }
}

}  // namespace detail

/// A view of a rank-2 mdspan with contiguous rows: layout_right, or a layout_stride or transposed layout with a unit
/// stride at run time. The factor of linalg::scaled() becomes the view's.
template <mdspan_like M>
constexpr auto row_major(M const& m) {
  return detail::view_of_mdspan<order::row>(m);
}

/// A view of a rank-2 mdspan with contiguous columns: layout_left, or a layout_stride or transposed layout with a unit
/// stride at run time. The factor of linalg::scaled() becomes the view's.
template <mdspan_like M>
constexpr auto col_major(M const& m) {
  return detail::view_of_mdspan<order::column>(m);
}

/// The transpose of a view, on the same memory: columns x rows, in the other order.
template <class T, order Order>
constexpr auto transposed(matrix<T, Order> const& m) {
  constexpr order flipped = Order == order::row ? order::column : order::row;
  return matrix<T, flipped>{m.data, m.columns, m.rows, m.ld, m.step, m.batch_count, m.batch_stride, m.factor};
}

/// A batch of `count` matrices like `m`, `stride` elements apart, which may be negative. A stride of 0 (operands only)
/// uses one matrix for all.
template <class T, order Order>
constexpr matrix<T, Order> batched(matrix<T, Order> m, std::int64_t count, std::int64_t stride) {
  m.batch_count = count;
  m.batch_stride = stride;
  return m;
}

/// A batch of `count` matrices like `m` that follow each other without a gap.
template <class T, order Order>
constexpr matrix<T, Order> batched(matrix<T, Order> const& m, std::int64_t count) {
  auto const lines = static_cast<std::uint64_t>(Order == order::row ? m.rows : m.columns);
  // Unsigned, so that it wraps: the call refuses sizes that no memory has.
  return batched(m, count, static_cast<std::int64_t>(static_cast<std::uint64_t>(m.ld) * lines));
}

/// The same elements, each times a number, as the scale of a quantised tensor: a call multiplies alpha by it. Read
/// alone. Numbers in device memory: see scales.hpp.
template <class T, order Order>
constexpr matrix<T const, Order> scaled(matrix<T, Order> const& m,
                                        detail::factor<typename detail::factor_of<std::remove_cv_t<T>>::type> value) {
  return {m.data, m.rows, m.columns, m.ld, m.step, m.batch_count, m.batch_stride, m.factor * value};
}

namespace detail {
template <class>
inline constexpr bool is_matrix = false;
template <class T, order Order>
inline constexpr bool is_matrix<matrix<T, Order>> = true;

/// The matrix itself, of a view that has more, such as scales.
template <class M>
constexpr auto const& view_of(M const& m) {
  if constexpr (requires { m.view; }) {
    return m.view;
  } else {
    return m;
  }
}

template <class M>
using viewed = std::remove_cvref_t<decltype(view_of(std::declval<M const&>()))>;
}  // namespace detail

/// A view that run() takes.
template <class M>
concept matrix_view = detail::is_matrix<std::remove_cvref_t<M>>;

}  // namespace gemm
