// SPDX-License-Identifier: BSL-1.0
//! @file
//! Views of the compiled library: of a matrix, or of a strided batch of matrices, whose type and order are values.
#pragma once

#include <gemm/gemm.h>

#include <cstdint>

// CUDA's own types, so that pointers to them say what they are, as to gemm::run() of the headers.
struct CUstream_st;
struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

#if !defined(GEMM_DETAIL_HEADERS)
#define GEMM_DETAIL_COMPILED  // gemm/cxx20.hpp asks for the other order
#endif

namespace gemm {
#if defined(GEMM_DETAIL_HEADERS)
namespace compiled {
#else
inline namespace compiled {
#endif
/// The type of elements: of `tf32` floats, rounded to TF32 before they are multiplied.
enum class element_type : std::int32_t { f32 = 1, tf32, f64, f16, bf16, e4m3, e5m2, i8, i32 };

/// Which elements are neighbours in memory: `row` those of a row (row-major), `column` those of a column.
enum class order : std::int32_t { row = 1, column };

namespace detail {

/// Which rows or columns of a view products have: see ragged_rows().
struct ranges {
  enum kind_type : std::int32_t { none, rows, masked_rows, columns };
  kind_type kind = none;
  std::int32_t bytes = 4;
  void const* ends = nullptr;
  std::int64_t count = 0;
};

}  // namespace detail

/// A matrix in device memory that is only read, or a strided batch of them. Owns nothing. A call checks it.
struct operand {
  gemm_matrix descriptor;      ///< see gemm_matrix
  detail::ranges ranges = {};  ///< not for users
};

/// A matrix in device memory, or a strided batch of them, that may be written.
struct matrix : operand {};

/// Scales of the rows of A or the columns of B, for scaled().
struct line_scales {
  void const* data;           ///< the first
  std::int32_t kind;          ///< a gemm_scale_kind
  std::int64_t length;        ///< how many there are; negative: not said
  std::int64_t batch_stride;  ///< to those of the next product
};

/// A row-major matrix whose rows are ld elements apart, of a type that the pointer does not say.
inline matrix row_major(void* data, element_type type, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  matrix m{{gemm_row_major(data, static_cast<gemm_type>(type), rows, columns)}};
  m.descriptor.ld = ld;
  return m;
}
/// The same without gaps between its rows.
inline matrix row_major(void* data, element_type type, std::int64_t rows, std::int64_t columns) {
  return row_major(data, type, rows, columns, columns > 1 ? columns : 1);
}
/// A row-major operand whose rows are ld elements apart.
inline operand row_major(void const* data, element_type type, std::int64_t rows, std::int64_t columns,
                         std::int64_t ld) {
  return row_major(const_cast<void*>(data), type, rows, columns, ld);
}
/// The same without gaps between its rows.
inline operand row_major(void const* data, element_type type, std::int64_t rows, std::int64_t columns) {
  return row_major(const_cast<void*>(data), type, rows, columns);
}
/// A column-major matrix whose columns are ld elements apart, of a type that the pointer does not say.
inline matrix col_major(void* data, element_type type, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  matrix m{{gemm_col_major(data, static_cast<gemm_type>(type), rows, columns)}};
  m.descriptor.ld = ld;
  return m;
}
/// The same without gaps between its columns.
inline matrix col_major(void* data, element_type type, std::int64_t rows, std::int64_t columns) {
  return col_major(data, type, rows, columns, rows > 1 ? rows : 1);
}
/// A column-major operand whose columns are ld elements apart.
inline operand col_major(void const* data, element_type type, std::int64_t rows, std::int64_t columns,
                         std::int64_t ld) {
  return col_major(const_cast<void*>(data), type, rows, columns, ld);
}
/// The same without gaps between its columns.
inline operand col_major(void const* data, element_type type, std::int64_t rows, std::int64_t columns) {
  return col_major(const_cast<void*>(data), type, rows, columns);
}

// The same, of pointers that say their type, and with it those of an epilogue's bias.
#define GEMM_DETAIL_ORDER(Name, Element, Type)                                                         \
  inline matrix Name(Element* data, std::int64_t rows, std::int64_t columns, std::int64_t ld) {        \
    return Name(static_cast<void*>(data), Type, rows, columns, ld);                                    \
  }                                                                                                    \
  inline matrix Name(Element* data, std::int64_t rows, std::int64_t columns) {                         \
    return Name(static_cast<void*>(data), Type, rows, columns);                                        \
  }                                                                                                    \
  inline operand Name(Element const* data, std::int64_t rows, std::int64_t columns, std::int64_t ld) { \
    return Name(static_cast<void const*>(data), Type, rows, columns, ld);                              \
  }                                                                                                    \
  inline operand Name(Element const* data, std::int64_t rows, std::int64_t columns) {                  \
    return Name(static_cast<void const*>(data), Type, rows, columns);                                  \
  }
#define GEMM_DETAIL_TYPE(Element, Type)       \
  GEMM_DETAIL_ORDER(row_major, Element, Type) \
  GEMM_DETAIL_ORDER(col_major, Element, Type)
GEMM_DETAIL_TYPE(float, element_type::f32)
GEMM_DETAIL_TYPE(double, element_type::f64)
GEMM_DETAIL_TYPE(__half, element_type::f16)
GEMM_DETAIL_TYPE(__nv_bfloat16, element_type::bf16)
GEMM_DETAIL_TYPE(__nv_fp8_e4m3, element_type::e4m3)
GEMM_DETAIL_TYPE(__nv_fp8_e5m2, element_type::e5m2)
GEMM_DETAIL_TYPE(std::int8_t, element_type::i8)
GEMM_DETAIL_TYPE(std::int32_t, element_type::i32)
#undef GEMM_DETAIL_TYPE
#undef GEMM_DETAIL_ORDER

/// The transpose of a view, on the same memory: columns x rows, in the other order. Scales of rows are then of
/// columns. Of ragged views that of the matrix is made ragged.
inline operand transposed(operand m) {
  gemm_matrix& d = m.descriptor;
  std::int64_t const rows = d.rows;
  d.rows = d.columns;
  d.columns = rows;
  d.order = d.order == GEMM_ROW_MAJOR ? GEMM_COLUMN_MAJOR : GEMM_ROW_MAJOR;
  auto const exchange = [](std::int32_t& kind, std::int32_t one, std::int32_t other) {
    kind = kind == one ? other : kind == other ? one : kind;
  };
  exchange(d.scale_kind, GEMM_SCALE_PER_ROW, GEMM_SCALE_PER_COLUMN);
  exchange(d.scale_kind, GEMM_SCALE_PER_1_X_128, GEMM_SCALE_PER_128_X_1);
  exchange(d.scale_order, GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR);
  std::int64_t const scale_rows = d.scale_rows;
  d.scale_rows = d.scale_columns;
  d.scale_columns = scale_rows;
  return m;
}
/// The transpose of a matrix that may be written.
inline matrix transposed(matrix const& m) { return {transposed(static_cast<operand const&>(m))}; }

/// A batch of `count` matrices like `m`, `stride` elements apart. A stride of 0 (operands only) uses one for all.
inline operand batched(operand m, std::int64_t count, std::int64_t stride) {
  m.descriptor.batch_count = count;
  m.descriptor.batch_stride = stride;
  return m;
}
/// A batch of `count` matrices like `m` that follow each other without a gap.
inline operand batched(operand const& m, std::int64_t count) {
  gemm_matrix const& d = m.descriptor;
  auto const lines = static_cast<std::uint64_t>(d.order == GEMM_ROW_MAJOR ? d.rows : d.columns);
  return batched(m, count, static_cast<std::int64_t>(static_cast<std::uint64_t>(d.ld) * lines));
}
/// A batch that may be written.
inline matrix batched(matrix const& m, std::int64_t count, std::int64_t stride) {
  return {batched(static_cast<operand const&>(m), count, stride)};
}
/// A batch that may be written.
inline matrix batched(matrix const& m, std::int64_t count) { return {batched(static_cast<operand const&>(m), count)}; }

/// The same memory as an operand whose floats are rounded to TF32 before they are multiplied. A call refuses other
/// elements.
inline operand as_tf32(operand m) {
  m.descriptor.type = m.descriptor.type == GEMM_FLOAT ? static_cast<std::int32_t>(GEMM_TF32) : 0;
  return m;
}

/// Scales of the rows of A: floats in device memory, doubles for a matrix of doubles. `length`: how many there are,
/// which a call checks unless negative; `batch_stride`: from a product's to those of the next.
inline line_scales per_row(void const* values, std::int64_t length = -1, std::int64_t batch_stride = 0) {
  return {values, GEMM_SCALE_PER_ROW, length, batch_stride};
}
/// Scales of the columns of B; otherwise as per_row().
inline line_scales per_column(void const* values, std::int64_t length = -1, std::int64_t batch_stride = 0) {
  return {values, GEMM_SCALE_PER_COLUMN, length, batch_stride};
}
/// The same elements, those of each row of A or each column of B times a number in device memory.
inline operand scaled(operand m, line_scales const& scales) {
  m.descriptor.scales = scales.data;
  m.descriptor.scale_kind = scales.kind;
  m.descriptor.scale_count = scales.length;
  m.descriptor.scale_batch_stride = scales.batch_stride;
  return m;
}
/// The same elements, each times one number in device memory; a double for a matrix of doubles, else a float.
inline operand scaled(operand const& m, void const* number, std::int64_t batch_stride = 0) {
  return scaled(m, {number, GEMM_SCALE_PER_MATRIX, -1, batch_stride});
}

/// Scales of blocks, for scaled().
struct block_scales {
  gemm_matrix matrix;  ///< one float a block
  std::int32_t kind;   ///< a gemm_scale_kind
};

/// Scales of blocks of an fp8 A, 1 x 128 or 128 x 128, or B, 128 x 1 or 128 x 128: floats, or a batch of such matrices,
/// with a number for each block. A call refuses a matrix of another type or size.
template <int Rows, int Columns>
block_scales per_block(operand const& scales) {
  static_assert((Rows == 128 && (Columns == 1 || Columns == 128)) || (Rows == 1 && Columns == 128),
                "gemm: blocks with a scale are 1 x 128 or 128 x 128 of A, 128 x 1 or 128 x 128 of B.");
  std::int32_t const kind = Rows == 1      ? GEMM_SCALE_PER_1_X_128
                            : Columns == 1 ? GEMM_SCALE_PER_128_X_1
                                           : GEMM_SCALE_PER_128_X_128;
  return {scales.descriptor, scales.descriptor.type == GEMM_FLOAT ? kind : -1};
}
/// The same elements of an fp8 A or B, those of each block times a number in device memory.
inline operand scaled(operand m, block_scales const& scales) {
  gemm_matrix const& from = scales.matrix;
  gemm_matrix& to = m.descriptor;
  to.scales = from.data;
  to.scale_kind = scales.kind;
  to.scale_order = from.order;
  to.scale_rows = from.rows;
  to.scale_columns = from.columns;
  to.scale_ld = from.ld;
  to.scale_batch_stride = from.batch_count == 1 ? 0 : from.batch_stride;
  return m;
}

}  // namespace compiled
}  // namespace gemm
