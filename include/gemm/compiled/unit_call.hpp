// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the compiled library's C interface asks of its translation units, of which each has one storage of one pair of
//! types: a product whose types are values.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/choose/choice.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// An element type as a value; the numbers are those of gemm_type.
enum class element_kind : std::int32_t { f32 = 1, tf32, f64, f16, bf16, e4m3, e5m2, i8, i32 };

/// A matrix whose types are those of the unit.
struct unit_matrix {
  void* data;
  std::int64_t rows, columns, ld, batch_count, batch_stride;
};

/// Scales of an operand: one for all, or one for each of its rows (of A) or columns (of B).
struct unit_scales {
  void const* data;  ///< null: there are none
  bool of_lines;
  std::int64_t batch_stride;
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
  bool has_epilogue;  ///< else `epilogue` is not read
  unit_epilogue epilogue;
  cudaStream_t stream;
  gemm::workspace workspace;
  bool constant_a, constant_b;
};

/// What is asked about a product.
enum class unit_question : unsigned char { run, can_run, workspace_size, chosen };

/// The answer: of run and can_run the status, and of the others what they are named after.
struct unit_answer {
  status result;
  std::size_t bytes = 0;
  choice plan;
};

/// A unit: its types and storage, and the function that answers.
struct compiled_unit {
  element_kind a, b, c;
  order order_a, order_b;
  unit_answer (*answer)(unit_question question, unit_call const& call);
};

}  // namespace gemm::detail
