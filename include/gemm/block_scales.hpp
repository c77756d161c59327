// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of blocks of 128 of k, as part of a view: factors in a product's sum.
//!
//!     C = epilogue(alpha * sum over kb of scale_a scale_b (sum over k of block kb of A B) + beta * C)
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/matrix.hpp>
#include <gemm/scales.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm {

/// One float in device memory for each block of Rows x Columns of a matrix; blocks at the end may be smaller. Made by
/// per_block().
template <int Rows, int Columns>
struct scale_per_block {
  using number = float;
  static constexpr bool on_a = Columns == 128, on_b = Rows == 128, is_uniform = true;

  float const* data;                            ///< the first block's
  std::int64_t row_stride, column_stride;       ///< to the next row's, and the next column's
  std::int64_t rows, columns, ld, batch_count;  ///< of the matrix of scales
  std::int64_t batch_stride;                    ///< to the scales of the next product
  std::int64_t step;                            ///< between neighbours of a row or column: must be 1
  bool row_major, has_factor;                   ///< of the matrix of scales

  /// The rules of the scales of a rows x columns operand.
  status check(char const* name, std::int64_t of_rows, std::int64_t of_columns, std::int64_t of_batch) const {
    using wide = long long;
    std::int64_t const needed_rows = (of_rows + Rows - 1) / Rows, needed_columns = (of_columns + Columns - 1) / Columns;
    if (data == nullptr) {
      return detail::broken_rule("the scales of %s are null, need one number per %d x %d of %s", name, Rows, Columns,
                                 name);
    }
    if (rows != needed_rows || columns != needed_columns) {
      return detail::broken_rule("the scales of %s are %lld x %lld, need one per %d x %d of %s: %lld x %lld", name,
                                 wide{rows}, wide{columns}, Rows, Columns, name, wide{needed_rows},
                                 wide{needed_columns});
    }
    if (batch_count != 1 && batch_count != of_batch) {
      return detail::broken_rule("the scales of %s have a batch of %lld, need 1 or the batch of %s: %lld", name,
                                 wide{batch_count}, name, wide{of_batch});
    }
    if (has_factor) {
      return detail::broken_rule("the scales of %s have a factor, need none: scale %s by it", name, name);
    }
    return detail::validate_view({"the matrix of scales", "its leading dimension", row_major, 32, data, rows, columns,
                                  ld, step, batch_count, batch_stride});
  }
  /// The scale of an element of the operand.
  __host__ __device__ float of_element(std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return data[batch * batch_stride + row / Rows * row_stride + column / Columns * column_stride];
  }
  /// What is left for an element of C: nothing, as kernels multiply the products of each 128 of k.
  __host__ __device__ static float at(std::int64_t, std::int64_t, std::int64_t) { return 1; }
};

/// Scales of the transpose.
template <int Rows, int Columns>
constexpr scale_per_block<Columns, Rows> transposed(scale_per_block<Rows, Columns> const& s) {
  return {s.data,        s.column_stride, s.row_stride, s.columns,    s.rows,      s.ld,
          s.batch_count, s.batch_stride,  s.step,       !s.row_major, s.has_factor};
}

/// Scales of blocks of A or B, for scaled(): a factor of each sum of the products of 128 of k.
///
/// With A m x k and B k x n, scales of A are m x ceil(k / 128) for blocks of 1 x 128, or ceil(m / 128) x ceil(k / 128)
/// for blocks of 128 x 128. Scales of B are ceil(k / 128) x n for blocks of 128 x 1, or ceil(k / 128) x ceil(n / 128)
/// for blocks of 128 x 128. Either operand may have its kind, another of its side's, or none.
///
/// @tparam Rows, Columns  the block's: 1 x 128 or 128 x 128 of A, 128 x 1 or 128 x 128 of B
/// @param scales  the matrix of floats, row- or column-major, with any leading dimension; its batch is 1 or the
///     operand's. cublasLt's VEC128_32F of A is col_major(p, m, kb), of B row_major(p, kb, n), with kb = ceil(k / 128);
///     its BLK128x128_32F of B is col_major(p, kb, nb, ld), with nb = ceil(n / 128) and ld a multiple of 4
template <int Rows, int Columns, class T, order Order>
constexpr scale_per_block<Rows, Columns> per_block(matrix<T, Order> const& scales) {
  constexpr bool block = (Rows == 1 && Columns == 128) || (Rows == 128 && (Columns == 1 || Columns == 128));
  static_assert(block, "gemm: blocks with a scale are 1 x 128 or 128 x 128 of A, 128 x 1 or 128 x 128 of B.");
  constexpr bool floats = std::is_same_v<std::remove_const_t<T>, float>;
  static_assert(!block || floats, "gemm: scales of blocks are floats.");
  constexpr bool row_major = Order == order::row;
  if constexpr (block && floats) {
    return {.data = scales.data,
            .row_stride = row_major ? scales.ld : 1,
            .column_stride = row_major ? 1 : scales.ld,
            .rows = scales.rows,
            .columns = scales.columns,
            .ld = scales.ld,
            .batch_count = scales.batch_count,
            .batch_stride = scales.batch_count == 1 ? 0 : scales.batch_stride,
            .step = scales.step,
            .row_major = row_major,
            .has_factor = scales.factor != 1};
  }
  return {};
}

/// The same elements of an fp8 A or B, those of each block times a number in device memory.
template <class T, order Order, int Rows, int Columns>
constexpr auto scaled(matrix<T, Order> const& m, scale_per_block<Rows, Columns> const& scales) {
  return detail::with_scales(m, scales);
}

namespace detail {

/// Whether scales are of blocks along k, which kernels apply in their main loops.
template <class>
inline constexpr bool is_per_block = false;
template <int Rows, int Columns>
inline constexpr bool is_per_block<scale_per_block<Rows, Columns>> = true;
template <class Scales>
inline constexpr bool is_per_block<gathered_scales<Scales>> = is_per_block<Scales>;

}  // namespace detail

}  // namespace gemm
