// SPDX-License-Identifier: BSL-1.0
//! @file
//! Forms of the C interface's products: scales of blocks, and groups. What a call asks for, and the rules of it.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/gemm.h>
#include <gemm/choose/call_rules.hpp>
#include <gemm/compiled/descriptor.hpp>
#include <gemm/compiled/unit_call.hpp>
#include <gemm/matrix.hpp>
#include <gemm/ragged.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// The rules of kinds of scales and of groups, which say what unit a call needs.
inline status check_form(gemm_call const& call) {
  gemm_matrix const &a = *call.a, &b = *call.b, &c = *call.c;
  status result = check_scale_kind("A", a, true);
  result = result ? check_scale_kind("B", b, false) : result;
  if (!result) {
    return result;
  }
  if (c.scale_kind != GEMM_NO_SCALES) {
    return broken_rule("C's scale_kind is %d, needs none: C is written, its epilogue scales it", c.scale_kind);
  }
  bool const blocks = has_matrix_of_scales(a) || has_matrix_of_scales(b);
  if (blocks && (has_matrix_of_scales(a) != has_matrix_of_scales(b) ||
                 (a.scale_kind == GEMM_SCALE_PER_128_X_128 && b.scale_kind == GEMM_SCALE_PER_128_X_128))) {
    return broken_rule(
        "A's and B's scale_kind are %d and %d, need to be both of blocks, at most one %d: others need gemm/gemm.cuh",
        a.scale_kind, b.scale_kind, GEMM_SCALE_PER_128_X_128);
  }
  if (call.group_kind < GEMM_NO_GROUPS || call.group_kind > GEMM_RAGGED_K) {
    return broken_rule("group_kind is %d, needs a gemm_group_kind, from %d to %d", call.group_kind, GEMM_NO_GROUPS,
                       GEMM_RAGGED_K);
  }
  if (call.group_kind != GEMM_NO_GROUPS && blocks) {
    return broken_rule("group_kind is %d beside scales of blocks, needs none: both need gemm/gemm.cuh",
                       call.group_kind);
  }
  if (call.group_kind != GEMM_NO_GROUPS && call.group_bytes != 4 && call.group_bytes != 8) {
    return broken_rule("group_bytes is %d, needs 4 for int32_t or 8 for int64_t", call.group_bytes);
  }
  return call.reserved == 0 ? status{} : broken_rule("the call's reserved is %d, needs 0", call.reserved);
}

/// What a unit must have for a call that keeps these rules.
inline unit_form form_of(gemm_call const& call) {
  switch (call.group_kind) {
    case GEMM_RAGGED_ROWS:
    case GEMM_MASKED_ROWS:
      return unit_form::ragged_rows;
    case GEMM_RAGGED_COLUMNS:
      return unit_form::ragged_columns;
    case GEMM_RAGGED_K:
      return unit_form::ragged_k;
    default:
      return !has_matrix_of_scales(*call.a)                   ? unit_form::dense
             : call.a->scale_kind == GEMM_SCALE_PER_128_X_128 ? unit_form::blocks_128_1
             : call.b->scale_kind == GEMM_SCALE_PER_128_X_128 ? unit_form::blocks_1_128
                                                              : unit_form::blocks_1_1;
  }
}

/// Products of a call.
inline std::int64_t products_of(gemm_call const& call) {
  return call.group_kind == GEMM_NO_GROUPS ? call.c->batch_count : call.group_count;
}

/// The rules of groups, where a call has some. Only the sizes of its views matter.
inline status check_groups(gemm_call const& call) {
  line_ranges const ranges{call.group_ends, call.group_bytes == 8, call.group_kind == GEMM_MASKED_ROWS};
  auto const sizes = [](gemm_matrix const& m) {
    return batched(row_major(static_cast<float*>(nullptr), m.rows, m.columns), m.batch_count, 0);
  };
  auto const a = sizes(*call.a), b = sizes(*call.b), c = sizes(*call.c);
  using view = std::remove_const_t<decltype(a)>;
  auto const by_row = [&](view const& m) { return ragged<view>{m, ranges, call.group_count}; };
  auto const by_column = [&](view const& m) { return ragged_by_column<view>{m, ranges, call.group_count}; };
  switch (call.group_kind) {
    case GEMM_MASKED_ROWS:
      if (call.group_count != c.batch_count || call.group_count != a.batch_count) {
        return broken_rule("group_count is %lld, needs the matrices of A, %lld, and of C, %lld",
                           static_cast<long long>(call.group_count), static_cast<long long>(a.batch_count),
                           static_cast<long long>(c.batch_count));
      }
      return validate_groups(by_row(a), b, by_row(c));
    case GEMM_RAGGED_ROWS:
      return validate_groups(by_row(a), b, by_row(c));
    case GEMM_RAGGED_COLUMNS:
      return validate_groups(a, by_column(b), by_column(c));
    case GEMM_RAGGED_K:
      return validate_groups(by_column(a), by_row(b), c);
    default:
      return {};
  }
}

/// What a form has besides a product of matrices.
inline char const* form_text(unit_form form) {
  switch (form) {
    case unit_form::blocks_1_1:
      return ", scales of 1 x 128 and 128 x 1";
    case unit_form::blocks_1_128:
      return ", scales of 1 x 128 and 128 x 128";
    case unit_form::blocks_128_1:
      return ", scales of 128 x 128 and 128 x 1";
    case unit_form::ragged_rows:
      return ", ragged rows";
    case unit_form::ragged_columns:
      return ", ragged columns";
    case unit_form::ragged_k:
      return ", ragged k";
    default:
      return "";
  }
}

}  // namespace gemm::detail
