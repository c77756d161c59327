// SPDX-License-Identifier: BSL-1.0
//! @file
//! Matrices of the C interface: the rules of a descriptor, and the view whose type and order it has as values.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/gemm.h>
#include <gemm/compiled/unit_call.hpp>
#include <gemm/element.hpp>
#include <gemm/matrix.hpp>
#include <gemm/scales.hpp>
#include <gemm/status.hpp>
#include <gemm/tf32.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// Calls use(T{}) with an element of the type; `otherwise` is the answer where there is no such type.
template <class Answer, class Use>
Answer with_element(std::int32_t type, Answer const& otherwise, Use const& use) {
  switch (type) {
    case GEMM_FLOAT:
      return use(float{});
    case GEMM_TF32:
      return use(tf32{});
    case GEMM_DOUBLE:
      return use(double{});
    case GEMM_HALF:
      return use(__half{});
    case GEMM_BFLOAT16:
      return use(__nv_bfloat16{});
    case GEMM_E4M3:
      return use(__nv_fp8_e4m3{});
    case GEMM_E5M2:
      return use(__nv_fp8_e5m2{});
    case GEMM_INT8:
      return use(std::int8_t{});
    case GEMM_INT32:
      return use(std::int32_t{});
    default:
      return otherwise;
  }
}

/// What element_traits calls the type.
inline char const* element_name(std::int32_t type) {
  return with_element<char const*>(type, "no type", [](auto t) { return element_traits<decltype(t)>::name.data(); });
}

inline int element_bytes(std::int32_t type) {
  return with_element<int>(type, 1, [](auto t) { return static_cast<int>(sizeof(t)); });
}

/// The rule of the first member of a struct.
template <class Struct>
status check_struct_size(char const* name, char const* type, Struct const* given) {
  if (given == nullptr) {
    return broken_rule("%s is null, needs a %s", name, type);
  }
  if (given->struct_size != sizeof(Struct)) {
    return broken_rule("%s's struct_size is %zu, needs %zu, the size of %s", name, given->struct_size, sizeof(Struct),
                       type);
  }
  return {};
}

/// The rules of a descriptor by itself, but for those that the views keep.
inline status check_descriptor(char const* name, gemm_matrix const* m) {
  if (status const result = check_struct_size(name, "gemm_matrix", m); !result) {
    return result;
  }
  if (m->type < GEMM_FLOAT || m->type > GEMM_INT32) {
    return broken_rule("%s's type is %d, needs a gemm_type, from %d to %d", name, m->type, GEMM_FLOAT, GEMM_INT32);
  }
  if (m->order != GEMM_ROW_MAJOR && m->order != GEMM_COLUMN_MAJOR) {
    return broken_rule("%s's order is %d, needs GEMM_ROW_MAJOR, %d, or GEMM_COLUMN_MAJOR, %d", name, m->order,
                       GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR);
  }
  return {};
}

/// The view of a descriptor that has kept its rules.
inline view_facts facts_of(char const* name, char const* ld_name, gemm_matrix const& m) {
  return {.name = name,
          .ld_name = ld_name,
          .row_major = m.order == GEMM_ROW_MAJOR,
          .element_bits = 8 * element_bytes(m.type),
          .data = m.data,
          .rows = m.rows,
          .columns = m.columns,
          .ld = m.ld,
          .step = 1,
          .batch_count = m.batch_count,
          .batch_stride = m.batch_stride};
}

/// Whether an operand has scales of blocks, and whether it has others.
inline bool has_matrix_of_scales(gemm_matrix const& m) {
  return m.scale_kind >= GEMM_SCALE_PER_1_X_128 && m.scale_kind <= GEMM_SCALE_PER_128_X_128;
}
inline bool has_other_scales(gemm_matrix const& m) {
  return m.scale_kind != GEMM_NO_SCALES && !has_matrix_of_scales(m);
}

/// The kind of an operand's scales.
inline status check_scale_kind(char const* name, gemm_matrix const& m, bool is_a) {
  int const of_lines = is_a ? GEMM_SCALE_PER_ROW : GEMM_SCALE_PER_COLUMN,
            of_blocks = is_a ? GEMM_SCALE_PER_1_X_128 : GEMM_SCALE_PER_128_X_1, kind = m.scale_kind;
  if (kind != GEMM_NO_SCALES && kind != GEMM_SCALE_PER_MATRIX && kind != of_lines && kind != of_blocks &&
      kind != GEMM_SCALE_PER_128_X_128) {
    return broken_rule(
        "%s's scale_kind is %d, needs none, %d, one number, %d, one per %s, %d, or a matrix, %d for %s, %d for 128 x "
        "128",
        name, kind, GEMM_NO_SCALES, GEMM_SCALE_PER_MATRIX, is_a ? "row" : "column", of_lines, of_blocks,
        is_a ? "1 x 128" : "128 x 1", GEMM_SCALE_PER_128_X_128);
  }
  if (has_matrix_of_scales(m) && m.scale_order != GEMM_ROW_MAJOR && m.scale_order != GEMM_COLUMN_MAJOR) {
    return broken_rule("%s's scale_order is %d, needs GEMM_ROW_MAJOR, %d, or GEMM_COLUMN_MAJOR, %d", name,
                       m.scale_order, GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR);
  }
  return {};
}

/// An operand's matrix of scales. Without a stride all products have one.
inline unit_matrix matrix_of_scales(gemm_matrix const& m) {
  return {const_cast<void*>(m.scales),
          m.scale_rows,
          m.scale_columns,
          m.scale_ld,
          m.scale_batch_stride == 0 ? 1 : m.batch_count,
          m.scale_batch_stride};
}

/// The rules of an operand's scales, where they are read.
inline status check_scale_values(char const* name, gemm_matrix const& m, bool is_a) {
  auto const* const data = static_cast<float const*>(m.scales);
  if (m.scale_kind == GEMM_SCALE_PER_MATRIX) {
    return scale_per_matrix<float>{data, m.scale_batch_stride}.check(name, m.rows, m.columns, m.batch_count);
  }
  if (has_matrix_of_scales(m)) {
    unit_matrix const scales = matrix_of_scales(m);
    bool const by_row = m.scale_order == GEMM_ROW_MAJOR;
    auto const check = [&](auto const& of_blocks) { return of_blocks.check(name, m.rows, m.columns, m.batch_count); };
    return m.scale_kind == GEMM_SCALE_PER_128_X_128 ? check(scales_of_blocks<128, 128>(scales, by_row))
           : is_a                                   ? check(scales_of_blocks<1, 128>(scales, by_row))
                                                    : check(scales_of_blocks<128, 1>(scales, by_row));
  }
  if (m.scale_kind != GEMM_NO_SCALES) {
    return check_scales(name, is_a ? "row" : "column", data, m.scale_count, is_a ? m.rows : m.columns);
  }
  return {};
}

inline gemm_matrix transposed(gemm_matrix m) {
  m.order = m.order == GEMM_ROW_MAJOR ? GEMM_COLUMN_MAJOR : GEMM_ROW_MAJOR;
  std::int64_t const rows = m.rows;
  m.rows = m.columns;
  m.columns = rows;
  return m;
}

inline unit_matrix unit_matrix_of(gemm_matrix const& m) {
  return {m.data, m.rows, m.columns, m.ld, m.batch_count, m.batch_stride};
}

inline unit_scales unit_scales_of(gemm_matrix const& m) {
  unit_scales scales{};
  if (has_matrix_of_scales(m)) {
    scales.blocks = matrix_of_scales(m);
    scales.blocks_by_row = m.scale_order == GEMM_ROW_MAJOR;
  } else if (m.scale_kind != GEMM_NO_SCALES) {
    scales.data = m.scales;
    scales.of_lines = m.scale_kind != GEMM_SCALE_PER_MATRIX;
    scales.batch_stride = m.scale_batch_stride;
  }
  return scales;
}

}  // namespace gemm::detail
