// SPDX-License-Identifier: BSL-1.0
//! @file
//! Views: what the memory of a matrix, or of a strided batch of matrices, looks like. They own nothing.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>

namespace gemm {

/// Which elements are neighbours in memory: those of a row or those of a column.
enum class order : unsigned char { row, column };

/// A rows x columns matrix in device memory, or batch_count of them, batch_stride elements apart.
///
/// Made by row_major(), col_major(), transposed() and batched(); sizes and strides are in elements. A view may describe
/// anything: what is wrong with it (a leading dimension too small, a null pointer) is the status of the call that it is
/// passed to.
template <class T, order Order>
struct matrix {
  using element = T;                       ///< float, or float const where the matrix is only read
  using value_type = std::remove_cv_t<T>;  ///< element without const
  static constexpr order layout = Order;

  T* data;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t ld;                ///< leading dimension: elements between the starts of two rows (two columns)
  std::int64_t step = 1;          ///< elements between neighbours inside a row (a column); calls accept 1 alone
  std::int64_t batch_count = 1;   ///< matrices in the batch
  std::int64_t batch_stride = 0;  ///< elements between two matrices of the batch; 0 uses one matrix for all of them
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

/// A view of floats, on the same memory, as an operand whose elements are multiplied as TF32 numbers: see tf32.
template <class T, order Order>
requires(std::is_same_v<std::remove_const_t<T>, float>) constexpr auto as_tf32(matrix<T, Order> const& m) {
  return matrix<tf32 const, Order>{
      reinterpret_cast<tf32 const*>(m.data), m.rows, m.columns, m.ld, m.step, m.batch_count, m.batch_stride};
}

/// What std::mdspan, its reference implementation and cuda::std::mdspan of rank 2 have in common.
template <class M>
concept mdspan_like = requires(M const& m) {
  typename M::layout_type;
  typename M::element_type;
  { m.data_handle() } -> std::convertible_to<typename M::element_type*>;
  { m.extent(0) } -> std::convertible_to<std::int64_t>;
  { m.stride(0) } -> std::convertible_to<std::int64_t>;
  requires(M::rank() == 2);
};

namespace detail {

template <order Order, mdspan_like M>
constexpr matrix<typename M::element_type, Order> view_of_mdspan(M const& m) {
  constexpr int along = Order == order::row ? 1 : 0;  // the index whose neighbours are adjacent in memory
  std::int64_t const length = m.extent(along), count = m.extent(1 - along);
  // A stride that is never taken (extent 0 or 1) says nothing, whatever its value.
  return {.data = m.data_handle(),
          .rows = m.extent(0),
          .columns = m.extent(1),
          .ld = count > 1 ? static_cast<std::int64_t>(m.stride(1 - along)) : (length > 1 ? length : 1),
          .step = length > 1 ? static_cast<std::int64_t>(m.stride(along)) : 1};
}

}  // namespace detail

/// The same memory as a rank-2 mdspan whose rows are contiguous: layout_right, or a layout_stride that is so at run
/// time.
template <mdspan_like M>
constexpr auto row_major(M const& m) {
  return detail::view_of_mdspan<order::row>(m);
}

/// The same memory as a rank-2 mdspan whose columns are contiguous: layout_left, or a layout_stride that is so at run
/// time.
template <mdspan_like M>
constexpr auto col_major(M const& m) {
  return detail::view_of_mdspan<order::column>(m);
}

/// The transpose of a view, on the same memory: columns x rows, in the other order.
template <class T, order Order>
constexpr auto transposed(matrix<T, Order> const& m) {
  constexpr order flipped = Order == order::row ? order::column : order::row;
  return matrix<T, flipped>{m.data, m.columns, m.rows, m.ld, m.step, m.batch_count, m.batch_stride};
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
  // Of either sign, and wrapped round where no memory is so large: that is for the call to say.
  return batched(m, count, static_cast<std::int64_t>(static_cast<std::uint64_t>(m.ld) * lines));
}

namespace detail {
template <class>
inline constexpr bool is_matrix = false;
template <class T, order Order>
inline constexpr bool is_matrix<matrix<T, Order>> = true;
}  // namespace detail

/// A view that run() takes.
template <class M>
concept matrix_view = detail::is_matrix<std::remove_cvref_t<M>>;

}  // namespace gemm
