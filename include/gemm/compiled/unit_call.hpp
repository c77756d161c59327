// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the compiled library's C interface asks of its translation units, of which each has one storage of one pair of
//! types: a product whose types are values.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block_scales.hpp>
#include <gemm/choose/choice.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// An element type as a value; the numbers are those of gemm_type.
enum class element_kind : std::int32_t { f32 = 1, tf32, f64, f16, bf16, e4m3, e5m2, i8, i32 };

/// The products of a unit. Of scales of blocks: those of A x those of B, 1 for 1 x 128 (of B 128 x 1), 128 for 128 x
/// 128.
enum class unit_form : std::int32_t {
  dense,
  blocks_1_1,
  blocks_1_128,
  blocks_128_1,
  ragged_rows,  // and masked ones
  ragged_columns,
  ragged_k
};

/// The form of the transposed product.
constexpr unit_form transposed(unit_form form) {
  switch (form) {
    case unit_form::blocks_1_128:
      return unit_form::blocks_128_1;
    case unit_form::blocks_128_1:
      return unit_form::blocks_1_128;
    case unit_form::ragged_rows:
      return unit_form::ragged_columns;
    case unit_form::ragged_columns:
      return unit_form::ragged_rows;
    default:
      return form;
  }
}

/// A matrix whose types are those of the unit.
struct unit_matrix {
  void* data;
  std::int64_t rows, columns, ld, batch_count, batch_stride;
};

/// Scales of an operand: one for all, or one for each of its rows (of A) or columns (of B); or those of blocks, a
/// matrix.
struct unit_scales {
  void const* data;  ///< null: there are none of these
  bool of_lines;
  std::int64_t batch_stride;
  unit_matrix blocks;
  bool blocks_by_row;
};

/// The scales of blocks of Rows x Columns of a matrix of scales.
template <int Rows, int Columns>
scale_per_block<Rows, Columns> scales_of_blocks(unit_matrix const& scales, bool by_row) {
  return {.data = static_cast<float const*>(scales.data),
          .row_stride = by_row ? scales.ld : 1,
          .column_stride = by_row ? 1 : scales.ld,
          .rows = scales.rows,
          .columns = scales.columns,
          .ld = scales.ld,
          .batch_count = scales.batch_count,
          .batch_stride = scales.batch_stride,
          .step = 1,
          .row_major = by_row,
          .has_factor = false};
}

/// Products whose sizes lie in device memory.
struct unit_groups {
  void const* ends;
  bool wide, counted;  ///< as line_ranges
  std::int64_t count;
  bool zero_rest;
};

/// A bias; its type is runtime_bias.
struct unit_bias {
  void const* data;  ///< null: there is none
  bool by_row;
};

/// A residual of C's type: data[batch * batch_stride + row * row_step + column * column_step].
struct unit_residual {
  void const* data;  ///< null: there is none
  std::int64_t row_step, column_step, batch_stride;
  double factor;
};

/// The epilogue: see runtime_epilogue.
struct unit_epilogue {
  unit_bias bias;
  unit_residual residual;
  std::int32_t activation;
  double scale;
  void const* scale_at;
  float* amax;
};

/// A product with a row-major C, whose descriptors keep all rules.
struct unit_call {
  unit_matrix a, b, c;
  unit_scales scales_a, scales_b;
  double alpha, beta;
  unit_epilogue epilogue;
  cudaStream_t stream;
  gemm::workspace workspace;
  bool constant_a, constant_b;
  unit_groups groups;
};

/// What is asked about a product.
enum class unit_question : unsigned char { run, can_run, workspace_size, chosen };

/// The answer: of run and can_run the status, and of the others what they are named after.
struct unit_answer {
  status result;
  std::size_t bytes = 0;
  choice plan;
};

/// A unit: its form, types and storage, and the function that answers.
struct compiled_unit {
  unit_form form;
  element_kind a, b, c;
  order order_a, order_b;
  unit_answer (*answer)(unit_question question, unit_call const& call);
};

}  // namespace gemm::detail
