// SPDX-License-Identifier: BSL-1.0
//! @file
//! The functions of the C interface. One source of the library includes this, and has `compiled_units`.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <gemm/gemm.h>
#include <gemm/compiled/descriptor.hpp>
#include <gemm/compiled/form.hpp>
#include <gemm/compiled/product.hpp>
#include <gemm/compiled/unit_call.hpp>
#include <gemm/status.hpp>
#include <gemm/tune/load.hpp>
#include <gemm/version.hpp>

namespace gemm::detail {

/// The units of this library: generated.
extern compiled_unit const compiled_units[];
extern std::size_t const compiled_unit_count;

/// The unit of a call, and of a column-major C that of the transposed product; null if there is none.
inline compiled_unit const* unit_of(gemm_call const& call) {
  gemm_matrix const &first = *call.a, &second = *call.b, &third = *call.c;
  bool const swapped = third.order == GEMM_COLUMN_MAJOR;
  gemm_matrix const a = swapped ? transposed(second) : first, b = swapped ? transposed(first) : second;
  unit_form const form = swapped ? transposed(form_of(call)) : form_of(call);
  auto const order_of = [](gemm_matrix const& m) { return m.order == GEMM_ROW_MAJOR ? order::row : order::column; };
  for (std::size_t i = 0; i < compiled_unit_count; ++i) {
    compiled_unit const& unit = compiled_units[i];
    if (unit.form == form && unit.a == element_kind{a.type} && unit.b == element_kind{b.type} &&
        unit.c == element_kind{third.type} && unit.order_a == order_of(a) && unit.order_b == order_of(b)) {
      return &unit;
    }
  }
  return nullptr;
}

inline status no_unit(gemm_call const& call) {
  gemm_matrix const &a = *call.a, &b = *call.b, &c = *call.c;
  auto const order_name = [](gemm_matrix const& m) { return m.order == GEMM_ROW_MAJOR ? "row" : "column"; };
  return broken_rule(
      "the product is %s x %s -> %s, %s x %s -> %s%s, which is not compiled into this library: "
      "gemm_compiled_products() says what is",
      element_name(a.type), element_name(b.type), element_name(c.type), order_name(a), order_name(b), order_name(c),
      form_text(form_of(call)));
}

/// Puts a text into an array of a struct, truncated where it is too long.
template <std::size_t Size>
void copy_text(char (&to)[Size], std::string_view from) {
  std::size_t const length = std::min(from.size(), Size - 1);
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

/// Answers a question about a call that is checked first.
inline unit_answer answer_call(unit_question question, gemm_call const* call) {
  unit_answer answer;
  answer.result = check_call(call);
  if (!answer.result) {
    return answer;
  }
  compiled_unit const* const unit = unit_of(*call);
  answer.result = unit != nullptr ? check_values(*call) : no_unit(*call);
  if (!answer.result) {
    return answer;
  }
  unit_call const of_unit = unit_call_of(*call);
  if (question != unit_question::run) {
    answer = unit->answer(unit_question::can_run, of_unit);
  }
  if (answer.result && question != unit_question::can_run) {
    answer = unit->answer(question, of_unit);
  }
  if (call->c->order == GEMM_COLUMN_MAJOR) {
    std::swap(answer.plan.packs_a, answer.plan.packs_b);
  }
  return answer;
}

/// Whether a struct that a call fills has its size; null is left alone.
template <class Struct>
bool has_size(Struct const* to) {
  return to == nullptr || to->struct_size == sizeof(Struct);
}

/// The code of a result, which also goes into the caller's struct.
inline int tell(status const& result, gemm_status* to) {
  if (to != nullptr) {
    to->code = static_cast<std::int32_t>(result.code());
    to->cuda_error = static_cast<std::int32_t>(result.cuda_error());
    copy_text(to->message, result.message());
  }
  return static_cast<int>(result.code());
}

}  // namespace gemm::detail

extern "C" {

int gemm_run(gemm_call const* call, gemm_status* status) {
  using namespace gemm::detail;
  return has_size(status) ? tell(answer_call(unit_question::run, call).result, status) : GEMM_INVALID_ARGUMENT;
}

int gemm_can_run(gemm_call const* call, gemm_status* status) {
  using namespace gemm::detail;
  return has_size(status) ? tell(answer_call(unit_question::can_run, call).result, status) : GEMM_INVALID_ARGUMENT;
}

int gemm_workspace_size(gemm_call const* call, std::size_t* bytes, gemm_status* status) {
  using namespace gemm::detail;
  if (!has_size(status)) {
    return GEMM_INVALID_ARGUMENT;
  }
  if (bytes == nullptr) {
    return tell(broken_rule("%s is null, needs a size_t", "bytes"), status);
  }
  unit_answer answer;
  if (call != nullptr && call->struct_size == sizeof(*call)) {
    gemm_call without = *call;
    without.workspace = nullptr;
    without.workspace_bytes = 0;
    answer = answer_call(unit_question::workspace_size, &without);
  } else {
    answer = answer_call(unit_question::workspace_size, call);
  }
  *bytes = answer.bytes;
  return tell(answer.result, status);
}

int gemm_chosen(gemm_call const* call, gemm_choice* choice, gemm_status* status) {
  using namespace gemm::detail;
  if (!has_size(status)) {
    return GEMM_INVALID_ARGUMENT;
  }
  if (gemm::status const sized = check_struct_size("the choice", "gemm_choice", choice); !sized) {
    return tell(sized, status);
  }
  unit_answer const answer = answer_call(unit_question::chosen, call);
  gemm::choice const& plan = answer.plan;
  choice->seconds = plan.seconds;
  choice->waves = plan.waves;
  choice->slices = plan.slices;
  choice->in_cluster = plan.in_cluster;
  choice->tail = plan.tail;
  choice->packs_a = plan.packs_a;
  choice->packs_b = plan.packs_b;
  choice->is_tuned = plan.source == gemm::choice_source::tuned;
  copy_text(choice->policy, plan.policy);
  copy_text(choice->note, plan.note);
  return tell(answer.result, status);
}

char const* gemm_code_text(int code) {
  switch (code) {
    case GEMM_SUCCESS:
      return "success";
    case GEMM_INVALID_ARGUMENT:
      return "invalid argument";
    case GEMM_UNSUPPORTED_DEVICE:
      return "unsupported device";
    case GEMM_CUDA_FAILURE:
      return "failure of the CUDA runtime";
    case GEMM_FILE_FAILURE:
      return "failure of a file";
    default:
      return "no gemm_code";
  }
}

int gemm_version(void) { return GEMM_VERSION; }

char const* gemm_version_string(void) { return GEMM_VERSION_STRING; }

char const* gemm_compiled_products(void) {
  using namespace gemm::detail;
  static std::string const all = [] {
    std::string text;
    auto const name = [](gemm::order o) { return o == gemm::order::row ? "row" : "column"; };
    for (std::size_t i = 0; i < compiled_unit_count; ++i) {
      compiled_unit const& unit = compiled_units[i];
      auto const element = [](element_kind kind) { return element_name(static_cast<std::int32_t>(kind)); };
      text.append(element(unit.a)).append(" x ").append(element(unit.b)).append(" -> ").append(element(unit.c));
      text.append(", ").append(name(unit.order_a)).append(" x ").append(name(unit.order_b));
      text.append(form_text(unit.form)).append("\n");
    }
    return text;
  }();
  return all.c_str();
}

int gemm_load_tuning(char const* path, gemm_tuning_report* report, gemm_status* status) {
  using namespace gemm::detail;
  if (!has_size(status)) {
    return GEMM_INVALID_ARGUMENT;
  }
  if (!has_size(report)) {
    return tell(check_struct_size("the report", "gemm_tuning_report", report), status);
  }
  try {
    gemm::tuning_report found;
    gemm::status const result = gemm::load_tuning(path != nullptr ? path : "", &found);
    if (result && report != nullptr) {
      report->plans = found.plans;
      report->foreign = found.foreign;
      report->ignored = found.ignored;
      report->reserved = 0;
      copy_text(report->first_wrong, found.first_wrong);
    }
    return tell(result, status);
  } catch (std::exception const& failure) {  // which must not reach C
    return tell({gemm::status_code::file_failure, cudaSuccess, "the tuning cache is not loaded: %s", failure.what()},
                status);
  }
}

void gemm_forget_tuning(void) { gemm::forget_tuning(); }

}  // extern "C"
