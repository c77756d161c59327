// SPDX-License-Identifier: BSL-1.0
//! @file
//! One translation unit of the compiled library: a storage of a pair of types, with and without the epilogue.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block_scales.hpp>
#include <gemm/compiled/runtime_epilogue.cuh>
#include <gemm/compiled/unit_call.hpp>
#include <gemm/input_types.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/ragged.hpp>
#include <gemm/run.cuh>

namespace gemm::detail {

template <order Order, class T>
matrix<T, Order> view_of_unit(unit_matrix const& m) {
  return {.data = static_cast<T*>(m.data),
          .rows = m.rows,
          .columns = m.columns,
          .ld = m.ld,
          .batch_count = m.batch_count,
          .batch_stride = m.batch_stride};
}

/// The epilogue of a call. Where operands have scales, it adds beta times C, and the options lose beta.
template <class Accum, class Out>
runtime_epilogue<Out> epilogue_of_unit(unit_call const& call, options<Accum>& opts) {
  using number = runtime_number<Out>;
  unit_epilogue const& from = call.epilogue;
  runtime_epilogue<Out> e{};
  if (unit_residual const& r = from.residual; r.data != nullptr) {
    e.matrix = {static_cast<Out const*>(r.data), r.row_step, r.column_step, r.batch_stride};
    e.factor = static_cast<number>(r.factor);
  }
  unit_scales const &a = call.scales_a, &b = call.scales_b;
  if ((a.data != nullptr || b.data != nullptr) && reads_operands(Accum(opts.alpha), call.a.columns)) {
    e.scales_a = {static_cast<number const*>(a.data), a.of_lines, a.batch_stride};
    e.scales_b = {static_cast<number const*>(b.data), b.of_lines, b.batch_stride};
    if (opts.beta != Accum(0)) {
      e.matrix = {static_cast<Out const*>(call.c.data), call.c.ld, 1,
                  call.c.batch_count == 1 ? 0 : call.c.batch_stride};
      e.beta = static_cast<number>(Accum(opts.beta));
      opts.beta = Accum(0);
    }
  }
  auto const* const bias = static_cast<runtime_bias<Out> const*>(from.bias.data);
  (from.bias.by_row ? e.bias_of_rows : e.bias_of_columns) = bias;
  e.activation = static_cast<activation_kind>(from.activation);
  e.scale = static_cast<number>(from.scale);
  e.scale_at = static_cast<number const*>(from.scale_at);
  e.amax = from.amax;
  return e;
}

template <class A, class B, class C, class Options, class Epilogue>
static unit_answer answer_with(unit_question question, A const& a, B const& b, C const& c, Options const& opts,
                               Epilogue const& epilogue) {
  unit_answer answer;
  switch (question) {
    case unit_question::run:
      answer.result = gemm::run(a, b, c, opts, epilogue);
      break;
    case unit_question::can_run:
      answer.result = gemm::can_run(a, b, c, opts, epilogue);
      break;
    case unit_question::workspace_size:
      answer.bytes = gemm::workspace_size(a, b, c, opts, epilogue);
      break;
    case unit_question::chosen:
      answer.plan = gemm::chosen(a, b, c, opts, epilogue);
      break;
  }
  return answer;
}

/// Sets of an epilogue's steps.
template <unsigned... Steps>
struct step_sets {};

/// Those that have kernels of their own, what linear layers of A's and C's elements do. Others share the kernels of
/// any_steps.
template <unit_form Form, class A, class C>
auto own_step_sets() {
  constexpr unsigned bias = column_bias_step, activation = activation_step, scales = scales_step;
  if constexpr (Form != unit_form::dense) {
    return step_sets<>{};
  } else if constexpr (sizeof(A) == 2 && sizeof(C) == 2) {
    return step_sets<bias, activation, bias | activation>{};
  } else if constexpr (is_fp8<A>) {
    return step_sets<scales, scales | bias, scales | bias | activation>{};
  } else {
    return step_sets<>{};
  }
}

/// Calls `answer` with the epilogue, of which the steps are known where they are one of the sets.
template <class Epilogue, class Answer>
unit_answer answer_by_steps(step_sets<>, Epilogue const& epilogue, Answer const& answer) {
  return answer(epilogue);
}
template <class Epilogue, unsigned Known, unsigned... Others, class Answer>
unit_answer answer_by_steps(step_sets<Known, Others...>, Epilogue const& epilogue, Answer const& answer) {
  if (epilogue.steps() == Known) {
    return answer(epilogue.template with_steps<Known>());
  }
  return answer_by_steps(step_sets<Others...>{}, epilogue, answer);
}

/// Without an epilogue, or with that of values.
template <class Sets, class A, class B, class C, class Accum>
static unit_answer answer_views(unit_question question, unit_call const& call, A const& a, B const& b, C const& c,
                                options<Accum>& opts) {
  auto const epilogue = epilogue_of_unit<Accum, typename C::value_type>(call, opts);
  if (epilogue.steps() == 0) {
    return answer_with(question, a, b, c, opts, identity{});
  }
  return answer_by_steps(Sets{}, epilogue, [&](auto const& e) { return answer_with(question, a, b, c, opts, e); });
}

/// An operand with scales of blocks of Rows x Columns.
template <int Rows, int Columns, class T, order Order>
auto with_blocks(matrix<T, Order> const& m, unit_scales const& s) {
  return scaled(m, scales_of_blocks<Rows, Columns>(s.blocks, s.blocks_by_row));
}

/// compiled_unit::answer for a unit.
template <unit_form Form, class TA, class TB, class TC, order OrderA, order OrderB>
static unit_answer answer_unit(unit_question question, unit_call const& call) {
  using accum = accumulator<TA>;
  auto const a = view_of_unit<OrderA, TA const>(call.a);
  auto const b = view_of_unit<OrderB, TB const>(call.b);
  auto const c = view_of_unit<order::row, TC>(call.c);
  options<accum> opts{.alpha = static_cast<accum>(call.alpha),
                      .beta = static_cast<accum>(call.beta),
                      .stream = call.stream,
                      .workspace = call.workspace,
                      .constant_a = call.constant_a,
                      .constant_b = call.constant_b};
  using sets = decltype(own_step_sets<Form, TA, TC>());
  auto const answer = [&](auto const& of_a, auto const& of_b, auto const& of_c) {
    return answer_views<sets>(question, call, of_a, of_b, of_c, opts);
  };
  if constexpr (Form == unit_form::dense) {
    return answer(a, b, c);
  } else if constexpr (Form == unit_form::blocks_1_1) {
    return answer(with_blocks<1, 128>(a, call.scales_a), with_blocks<128, 1>(b, call.scales_b), c);
  } else if constexpr (Form == unit_form::blocks_1_128) {
    return answer(with_blocks<1, 128>(a, call.scales_a), with_blocks<128, 128>(b, call.scales_b), c);
  } else if constexpr (Form == unit_form::blocks_128_1) {
    return answer(with_blocks<128, 128>(a, call.scales_a), with_blocks<128, 1>(b, call.scales_b), c);
  } else {
    unit_groups const& groups = call.groups;
    line_ranges const ranges{groups.ends, groups.wide, groups.counted};
    auto const by_row = [&](auto const& m) {
      return ragged<std::remove_cvref_t<decltype(m)>>{m, ranges, groups.count};
    };
    auto const by_column = [&](auto const& m) {
      return ragged_by_column<std::remove_cvref_t<decltype(m)>>{m, ranges, groups.count};
    };
    opts.zero_rest = groups.zero_rest;
    if constexpr (Form == unit_form::ragged_rows) {
      return answer(by_row(a), b, by_row(c));
    } else if constexpr (Form == unit_form::ragged_columns) {
      return answer(a, by_column(b), by_column(c));
    } else {
      return answer(by_column(a), by_row(b), c);
    }
  }
}

}  // namespace gemm::detail
