// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of the C interface: the rules of a call, in the words of those of gemm::run(), and the call of a unit.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include <gemm/gemm.h>
#include <gemm/compiled/descriptor.hpp>
#include <gemm/compiled/form.hpp>
#include <gemm/compiled/unit_call.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/launch/validate.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// The type of a bias: as runtime_bias.
inline std::int32_t bias_type_of(std::int32_t type_c) {
  bool const is_float = element_bytes(type_c) == 1 || type_c == GEMM_INT32;
  return is_float ? static_cast<std::int32_t>(GEMM_FLOAT) : type_c;
}

inline status check_addend_type(char const* name, std::int32_t type, std::int32_t needed, std::int32_t type_c) {
  return type == needed ? status{}
                        : broken_rule("%s has elements of %s, needs %s for a C of %s", name, element_name(type),
                                      element_name(needed), element_name(type_c));
}

inline status check_bias(gemm_epilogue const& e, gemm_matrix const& c) {
  if (e.bias_kind != GEMM_BIAS_PER_COLUMN && e.bias_kind != GEMM_BIAS_PER_ROW) {
    return broken_rule("bias_kind is %d, needs a gemm_bias_kind, from %d to %d", e.bias_kind, GEMM_NO_BIAS,
                       GEMM_BIAS_PER_ROW);
  }
  bool const by_row = e.bias_kind == GEMM_BIAS_PER_ROW;
  if (status const result = check_addend_type(by_row ? "row_bias" : "bias", e.bias_type, bias_type_of(c.type), c.type);
      !result) {
    return result;
  }
  auto const* const values = static_cast<float const*>(e.bias);  // its type matters to no rule
  return by_row ? row_bias(values, e.bias_count).check(c.rows, c.columns, c.batch_count)
                : bias(values, e.bias_count).check(c.rows, c.columns, c.batch_count);
}

inline status check_residual(gemm_matrix const* r, gemm_matrix const& c, std::int64_t products) {
  status result = check_descriptor("the residual", r);
  result = result ? check_addend_type("the residual", r->type, c.type, c.type) : result;
  if (!result) {
    return result;
  }
  return with_element<status>(r->type, {}, [&](auto element) {
    using type = decltype(element);
    auto* const data = static_cast<type*>(r->data);
    if (r->order == GEMM_ROW_MAJOR) {
      return residual(batched(row_major(data, r->rows, r->columns, r->ld), r->batch_count, r->batch_stride))
          .check(c.rows, c.columns, products);
    }
    return residual(batched(col_major(data, r->rows, r->columns, r->ld), r->batch_count, r->batch_stride))
        .check(c.rows, c.columns, products);
  });
}

/// The rules of an epilogue's numbers, checked where C has elements.
inline status check_epilogue_of(gemm_epilogue const& e, gemm_matrix const& c, std::int64_t products) {
  if (e.activation < GEMM_NO_ACTIVATION || e.activation > GEMM_SIGMOID) {
    return broken_rule("activation is %d, needs a gemm_activation, from %d to %d: functors need gemm/gemm.cuh",
                       e.activation, GEMM_NO_ACTIVATION, GEMM_SIGMOID);
  }
  if (e.reserved != 0) {
    return broken_rule("the epilogue's reserved is %d, needs 0", e.reserved);
  }
  status result = e.bias_kind != GEMM_NO_BIAS ? check_bias(e, c) : status{};
  result = result && e.residual != nullptr ? check_residual(e.residual, c, products) : result;
  return result && e.amax != nullptr ? amax(e.amax).check(c.rows, c.columns, c.batch_count) : result;
}

/// The rule of alpha and beta.
inline status check_scalar(char const* name, double value, std::int32_t type) {
  if (type == GEMM_INT8 && (value != std::rint(value) || std::fabs(value + 0.5) >= 0x1p31)) {
    return broken_rule("%s is %g, needs an int32_t for int8: a real factor is the epilogue's scale", name, value);
  }
  return {};
}

/// The rules of a call, in the order of validate_call() behind those of the descriptors.
inline status check_call(gemm_call const* call) {
  status result = check_struct_size("the call", "gemm_call", call);
  result = result ? check_descriptor("A", call->a) : result;
  result = result ? check_descriptor("B", call->b) : result;
  result = result ? check_descriptor("C", call->c) : result;
  result =
      result && call->epilogue != nullptr ? check_struct_size("the epilogue", "gemm_epilogue", call->epilogue) : result;
  return result ? check_form(*call) : result;
}

/// The rules of the values of a call whose types are compiled.
inline status check_values(gemm_call const& call) {
  gemm_matrix const &a = *call.a, &b = *call.b, &c = *call.c;
  bool const ragged_c = call.group_kind != GEMM_NO_GROUPS && call.group_kind != GEMM_RAGGED_K;
  status result = check_groups(call);
  if (result && call.zero_rest != 0 && !ragged_c) {
    return broken_rule("%s is set, needs a ragged or masked view of C", "zero_rest");
  }
  result = result ? check_scalar("alpha", call.alpha, a.type) : result;
  result = result ? check_scalar("beta", call.beta, a.type) : result;
  bool const reads =
      reads_operands(a.type == GEMM_DOUBLE ? call.alpha : double{static_cast<float>(call.alpha)}, a.columns);
  view_facts of_a = facts_of("A", "lda", a), of_b = facts_of("B", "ldb", b);
  if (ragged_c && result) {
    view_facts& of_products = call.group_kind == GEMM_RAGGED_COLUMNS ? of_a : of_b;
    result = validate_view(of_products);
    of_products.batch_count = c.batch_count;  // one matrix has the rows of all products
  }
  result = result ? validate_views(of_a, of_b, facts_of("C", "ldc", c), reads) : result;
  result = result ? validate_workspace({call.workspace, call.workspace_bytes}, 0) : result;
  std::int64_t const products = products_of(call);
  if (result && c.rows != 0 && c.columns != 0 && c.batch_count != 0 && products != 0) {
    result = call.epilogue != nullptr ? check_epilogue_of(*call.epilogue, c, products) : result;
    result = result && reads ? check_scale_values("A", a, true) : result;
    result = result && reads ? check_scale_values("B", b, false) : result;
    bool const has_scales = has_other_scales(a) || has_other_scales(b);
    if (result && reads && has_scales && call.beta != 0 && call.epilogue != nullptr &&
        call.epilogue->residual != nullptr) {
      return broken_rule("beta is %g beside scales and a residual, needs 0: all three need gemm/gemm.cuh", call.beta);
    }
  }
  return result;
}

/// A call of the transposed product, C^T = B^T A^T, of the same matrices.
inline void transpose(unit_call& call) {
  for (unit_scales* s : {&call.scales_a, &call.scales_b}) {
    std::swap(s->blocks.rows, s->blocks.columns);
    s->blocks_by_row = !s->blocks_by_row;
  }
  std::swap(call.a, call.b);
  std::swap(call.scales_a, call.scales_b);
  std::swap(call.constant_a, call.constant_b);
  for (unit_matrix* m : {&call.a, &call.b, &call.c}) {
    std::swap(m->rows, m->columns);
  }
  call.epilogue.bias.by_row = !call.epilogue.bias.by_row;
  std::swap(call.epilogue.residual.row_step, call.epilogue.residual.column_step);
}

inline unit_epilogue unit_epilogue_of(gemm_epilogue const& e) {
  unit_epilogue result{};
  result.activation = e.activation;
  result.scale = e.scale;
  result.scale_at = e.scale_at;
  result.amax = e.amax;
  if (e.bias_kind != GEMM_NO_BIAS) {
    result.bias = {e.bias, e.bias_kind == GEMM_BIAS_PER_ROW};
  }
  if (e.residual != nullptr) {
    gemm_matrix const& r = *e.residual;
    bool const by_rows = r.order == GEMM_ROW_MAJOR;
    std::int64_t const row_step = by_rows ? r.ld : 1, column_step = by_rows ? 1 : r.ld;
    result.residual = {r.data, row_step, column_step, r.batch_count == 1 ? 0 : r.batch_stride, e.residual_factor};
  }
  return result;
}

/// The unit's call for a call that keeps all rules.
inline unit_call unit_call_of(gemm_call const& call) {
  gemm_matrix const &a = *call.a, &b = *call.b, &c = *call.c;
  gemm_epilogue const none = gemm_default_epilogue();
  gemm_epilogue const& e = call.epilogue != nullptr ? *call.epilogue : none;
  unit_call result{.a = unit_matrix_of(a),
                   .b = unit_matrix_of(b),
                   .c = unit_matrix_of(c),
                   .scales_a = unit_scales_of(a),
                   .scales_b = unit_scales_of(b),
                   .alpha = call.alpha,
                   .beta = call.beta,
                   .epilogue = unit_epilogue_of(e),
                   .stream = static_cast<cudaStream_t>(call.stream),
                   .workspace = {call.workspace, call.workspace_bytes},
                   .constant_a = call.constant_a != 0,
                   .constant_b = call.constant_b != 0,
                   .groups = {call.group_ends, call.group_bytes == 8, call.group_kind == GEMM_MASKED_ROWS,
                              call.group_count, call.zero_rest != 0}};
  if (c.order == GEMM_COLUMN_MAJOR) {
    transpose(result);
  }
  return result;
}

}  // namespace gemm::detail
