// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the types of a call must keep, asserted before any kernel is named.
#pragma once

#include <cstdint>
#include <type_traits>

#include <gemm/choose/arguments.hpp>
#include <gemm/element.hpp>
#include <gemm/emulation/prepacked_call.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/epilogue/gated.hpp>
#include <gemm/grouped.hpp>
#include <gemm/indexed.hpp>
#include <gemm/input_types.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/pointers.hpp>
#include <gemm/policy.hpp>
#include <gemm/prepacked.hpp>
#include <gemm/ragged.hpp>
#include <gemm/scales.hpp>

namespace gemm::detail {

/// Whether elements are probably another library's __half, __nv_bfloat16 or fp8.
template <class T>
constexpr bool is_foreign() {
  if constexpr (std::is_object_v<T> && !input_element<T> && requires { sizeof(T); }) {
    return sizeof(T) == 2 || (sizeof(T) == 1 && std::is_class_v<T>);
  }
  return false;
}

/// Whether an epilogue can be called with what the product of such matrices gives it.
template <class Facts>
constexpr bool accepts_value() {
  using epilogue = typename Facts::rest;
  using value = typename Facts::value;
  if constexpr (has_device_lambda<epilogue>) {
    return true;
  } else {
    return std::is_invocable_v<epilogue const&, value, std::int64_t, std::int64_t> ||
           std::is_invocable_v<epilogue const&, value, std::int64_t, std::int64_t, std::int64_t>;
  }
}

/// The rules that types must keep, asserted one after the other, before any kernel is named: one mistake, one message.
/// Scales: those of A and B, which are then views without them.
template <class Policy, class A, class B, class C, class Epilogue, class ScalesA, class ScalesB>
constexpr bool check_view_types() {
  constexpr bool view_a = matrix_view<A>, view_b = matrix_view<B>, view_c = matrix_view<C>;
  constexpr bool span = any_mdspan<A> || any_mdspan<B> || any_mdspan<C>;
  static_assert(!span,
                "gemm: an mdspan is no view by itself. Write row_major(mdspan) or col_major(mdspan), of one with two "
                "extents.");
  static_assert(span || view_a,
                "gemm: A must be a view, row_major(pointer, rows, columns) or the like, no raw pointer.");
  static_assert(span || !view_a || view_b,
                "gemm: B must be a view, row_major(pointer, rows, columns) or the like, no raw pointer.");
  static_assert(span || !view_a || !view_b || view_c,
                "gemm: C must be a view, row_major(pointer, rows, columns) or the like, no raw pointer.");
  if constexpr (view_a && view_b && view_c) {
    constexpr bool writable = !std::is_const_v<typename C::element>;
    static_assert(writable, "gemm: C is written, its elements must not be const. Make C's view of a T*.");
    using input = typename A::value_type;
    using output = typename C::value_type;
    using input_b = typename B::value_type;
    constexpr bool inputs = are_multiplied<input, input_b> && input_element<input>;
    constexpr bool foreign = is_foreign<input>() || is_foreign<input_b>() || is_foreign<output>();
    static_assert(!writable || !foreign,
                  "gemm: elements of 2 bytes are __half or __nv_bfloat16, those of 1 byte int8_t or CUDA's fp8. Pass "
                  "reinterpret_cast<__half*>(pointer) for c10::Half or at::Half, and so c10::BFloat16 as "
                  "__nv_bfloat16.");
    static_assert(!writable || foreign || inputs,
                  "gemm: A and B must have one element type: float, tf32, double, __half, __nv_bfloat16, int8_t, "
                  "or of fp8 __nv_fp8_e4m3 and __nv_fp8_e5m2.");
    constexpr bool types = inputs && !foreign && legal_output<input, output>;
    static_assert(!writable || foreign || !inputs || types,
                  "gemm: C's elements must be double for double; float, __half or __nv_bfloat16 for all others, or "
                  "int32_t or int8_t for int8_t, or of fp8 for the floating-point types but double.");
    constexpr bool passed = [] {
      if constexpr (types && writable) {
        return check_epilogue_argument<Epilogue>();
      }
      return false;
    }();
    constexpr bool callable = [] {
      if constexpr (passed) {
        return accepts_value<epilogue_facts<input, output, Epilogue, ScalesA, ScalesB>>();
      }
      return false;
    }();
    static_assert(!passed || callable,
                  "gemm: an epilogue is called as value(value, row, column) or value(value, row, column, batch).");
    constexpr bool real = [] {
      if constexpr (callable) {
        using facts = epilogue_facts<input, output, Epilogue, ScalesA, ScalesB>;
        return gets_real_numbers<typename facts::rest, typename facts::value>();
      }
      return false;
    }();
    static_assert(
        !callable || real,
        "gemm: an activation needs a floating-point value, but accumulators of int8 are integers. Put gemm::scale "
        "or gemm::column_scale before it.");
    constexpr bool known = policy<Policy> || is_choice<Policy>;
    static_assert(known, "gemm: run<Policy> needs a policy, such as gemm::pipelined_128x128x16 or gemm::automatic.");
    if constexpr (writable && real && is_choice<Policy>) {
      constexpr bool floats = !std::is_same_v<Policy, fp32_emulated> || std::is_same_v<input, float>;
      static_assert(floats, "gemm: fp32_emulated takes floats. Use gemm::automatic for other types.");
      return floats;
    } else if constexpr (writable && real && known) {
      using accum = accumulator<input>;
      constexpr bool accepts_a = Policy::template check_operands<input>();
      constexpr bool accepts_b = [] {
        if constexpr (accepts_a && !std::is_same_v<input, input_b>) {
          return Policy::template check_operands<input_b>();
        }
        return accepts_a;
      }();
      if constexpr (accepts_b) {
        return Policy::template check<accum>();
      }
    }
  }
  return false;
}

/// What a call's views, or its epilogue, have besides matrices, of all that they have the outermost: its rules come
/// first, and then those of the same call without it.
enum class call_form { matrices, scaled, prepacked, ranges, pointers, grouped, by_row };
template <class A, class B, class C, class Epilogue>
inline constexpr call_form form_of_call = [] {
  constexpr bool by_row = has_gate<Epilogue> || is_indexed<A> || is_indexed<B> || is_indexed<C>;
  return by_row                                                  ? call_form::by_row
         : is_grouped<A> || is_grouped<B> || is_grouped<C>       ? call_form::grouped
         : has_pointers<A> || has_pointers<B> || has_pointers<C> ? call_form::pointers
         : has_ranges<A> || has_ranges<B> || has_ranges<C>       ? call_form::ranges
         : is_prepacked<A> || is_prepacked<B>                    ? call_form::prepacked
         : is_scaled<A> || is_scaled<B> || is_scaled<C>          ? call_form::scaled
                                                                 : call_form::matrices;
}();

/// The rules of a call's types.
template <class Policy, class A, class B, class C, class Epilogue>
constexpr bool check_types() {
  return check_view_types<Policy, A, B, C, Epilogue, no_scales, no_scales>();
}

/// Of scaled operands those of the scales, and then those of the matrices.
template <class Policy, class A, class B, class C, class Epilogue>
requires(form_of_call<A, B, C, Epilogue> == call_form::scaled) constexpr bool check_types() {
  static_assert(!is_scaled<C>,
                "gemm: C is written, its elements have no scales. Use the epilogues gemm::row_scale, "
                "gemm::column_scale and gemm::scale.");
  using scales_a = decltype(scales_of(std::declval<A const&>()));
  using scales_b = decltype(scales_of(std::declval<B const&>()));
  constexpr bool sides = scales_a::on_a && scales_b::on_b;
  static_assert(
      is_scaled<C> || sides,
      "gemm: A has scales per_row, B per_column: those along k are no factors of accumulators. Exchange them.");
  constexpr bool of_blocks = is_per_block<scales_a> || is_per_block<scales_b>;
  constexpr bool types =
      !of_blocks || (is_fp8<typename unscaled<A>::value_type> && is_fp8<typename unscaled<B>::value_type>);
  static_assert(is_scaled<C> || !sides || types, "gemm: scales of blocks are for matrices of fp8.");
  constexpr bool applies = [] {
    if constexpr (policy<Policy> && of_blocks) {
      return Policy::info.scales_blocks;
    }
    return true;
  }();
  static_assert(is_scaled<C> || !sides || !types || applies,
                "gemm: scales of blocks are applied by block_scaled and by sm90_wgmma of fp8 with promote<128>. Use "
                "gemm::automatic or one of these.");
  if constexpr (!is_scaled<C> && sides && types && applies) {
    return check_view_types<Policy, unscaled<A>, unscaled<B>, C, Epilogue, scales_a, scales_b>();
  }
  return false;
}

/// Of prepacked operands those, and then those of what they were made of.
template <class Policy, class A, class B, class C, class Epilogue>
requires(form_of_call<A, B, C, Epilogue> == call_form::prepacked) constexpr bool check_types() {
  if constexpr (check_prepacked<Policy, A, B>()) {
    return check_types<Policy, std::conditional_t<is_prepacked<A>, viewed<A>, A>,
                       std::conditional_t<is_prepacked<B>, viewed<B>, B>, C, Epilogue>();
  }
  return false;
}

}  // namespace gemm::detail
