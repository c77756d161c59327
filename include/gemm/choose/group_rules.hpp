// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the types of a call must keep whose products, their ranges, or their rows device memory has.
#pragma once

#include <type_traits>
#include <utility>

#include <gemm/block/problem.cuh>
#include <gemm/block/wgmma_input.hpp>
#include <gemm/choose/type_rules.hpp>
#include <gemm/epilogue/gated.hpp>
#include <gemm/grouped.hpp>
#include <gemm/indexed.hpp>
#include <gemm/launch/follows.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/matrix.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/pointers.hpp>
#include <gemm/policy.hpp>
#include <gemm/prepacked.hpp>
#include <gemm/ragged.hpp>
#include <gemm/scales.hpp>

namespace gemm::detail {

/// Whether an operand, ragged or not, has scales of blocks.
template <class View>
inline constexpr bool has_scales_of_blocks =
    is_per_block<std::remove_const_t<decltype(scales_of(std::declval<plain_view_of<View> const&>()))>>;

/// Of ragged rows, columns and k those, and then those of the matrices.
template <class Policy, class A, class B, class C, class Epilogue>
requires(form_of_call<A, B, C, Epilogue> == call_form::ranges) constexpr bool check_types() {
  constexpr bool sides = has_ragged_rows<A, B, C> || has_ragged_columns<A, B, C> || has_ragged_k<A, B, C>;
  static_assert(sides,
                "gemm: two are ragged, or masked, together: A and C by rows, B and C by columns, or for a ragged k A "
                "by columns and B by rows. The third is a batch, or an A or B of one matrix.");
  constexpr bool follows = [] {
    if constexpr (policy<Policy> && !has_ragged_k<A, B, C>) {
      return follows_ranges<Policy>;
    } else if constexpr (policy<Policy> && !has_works_of_own<Policy>) {
      using of_a = unscaled<plain_view_of<A>>;
      using storage = storage_of<of_a::layout, unscaled<plain_view_of<B>>::layout>;
      return loads_ragged_k<Policy, plain_problem<typename of_a::value_type, float, storage, identity>>;
    }
    return has_works_of_own<Policy>;
  }();
  static_assert(!sides || follows || has_ragged_k<A, B, C>,
                "gemm: ragged rows need automatic, a policy of sm90_wgmma or sm90_wgmma_ping_pong with a block of 64 x "
                "64 or more, sm80_mma or pipelined. Use one of these.");
  static_assert(!sides || follows || !has_ragged_k<A, B, C>,
                "gemm: a ragged k needs automatic, sm80_mma or pipelined, not split, or for a column-major A and a "
                "row-major B of half or bfloat16 a policy of sm90_wgmma. Use one of these.");
  constexpr bool blocks = !has_ragged_rows<A, B, C> && (has_scales_of_blocks<A> || has_scales_of_blocks<B>);
  static_assert(
      !sides || !follows || !blocks,
      "gemm: ragged columns and a ragged k have no scales of blocks. Use those of rows, columns or a matrix.");
  if constexpr (sides && follows && !blocks) {
    return check_types<Policy, plain_view_of<A>, plain_view_of<B>, plain_view_of<C>, Epilogue>();
  }
  return false;
}

/// Of batches of pointers.
template <class Policy, class A, class B, class C, class Epilogue>
requires(form_of_call<A, B, C, Epilogue> == call_form::pointers) constexpr bool check_types() {
  using plain_a = plain_view_of<A>;
  using plain_b = plain_view_of<B>;
  constexpr bool matrices = matrix_view<plain_a> && matrix_view<plain_b>;
  static_assert(matrices, "gemm: beside pointers A and B are matrices, without scales, ragged rows or terms.");
  constexpr bool has_work = has_works_of_own<Policy>;
  static_assert(!matrices || has_work,
                "gemm: batches of pointers need automatic, sm80_mma or pipelined, not split. Use one of these.");
  if constexpr (matrices && has_work) {
    return check_types<Policy, plain_a, plain_b, plain_view_of<C>, Epilogue>();
  }
  return false;
}

/// Of products that differ.
template <class Policy, class A, class B, class C, class Epilogue>
requires(form_of_call<A, B, C, Epilogue> == call_form::grouped) constexpr bool check_types() {
  constexpr bool matrices = is_grouped<A> && is_grouped<B> && is_grouped<C>;
  static_assert(matrices, "gemm: A, B and C are grouped together: each has an array of views, of matrices alone.");
  constexpr bool follows = [] {
    if constexpr (policy<Policy> && matrices && !has_works_of_own<Policy>) {
      constexpr order a = plain_view_of<A>::layout, b = plain_view_of<B>::layout;
      constexpr bool swaps = C::layout == order::column;
      constexpr auto other = [](order own) { return own == order::row ? order::column : order::row; };
      using storage = storage_of<swaps ? other(b) : a, swaps ? other(a) : b>;
      using element = typename plain_view_of<A>::value_type;
      using input = std::conditional_t<std::is_same_v<element, float> && multiplies_tf32<Policy>, tf32, element>;
      return loads_grouped<Policy, plain_problem<input, float, storage, identity>>;
    }
    return has_works_of_own<Policy>;
  }();
  static_assert(!matrices || follows,
                "gemm: grouped products need automatic, sm80_mma or pipelined, not split, or a policy of sm90_wgmma "
                "with a block of 64 x 64 or more; of tf32, int8 and fp8 with a row-major A and a column-major B. Use "
                "one of these.");
  if constexpr (matrices && follows) {
    return check_types<Policy, plain_view_of<A>, plain_view_of<B>, plain_view_of<C>, Epilogue>();
  }
  return false;
}

template <class View>
using without_index = typename index_of_view<View>::without;

/// Whether a policy's kernel has rows of A gathered, and stores rows of C one by one, as far as a call wants it.
template <class Policy, bool Gathers, bool ByRow>
constexpr bool follows_indices() {
  if constexpr (policy<Policy>) {
    return (!ByRow || can_store_by_row<Policy>)&&(!Gathers || can_gather<Policy>)&&!Policy::info.is_split();
  }
  return has_works_of_own<Policy>;
}

/// Of indices and gates, and then those of the same call without them.
template <class Policy, class A, class B, class C, class Epilogue>
requires(form_of_call<A, B, C, Epilogue> == call_form::by_row) constexpr bool check_types() {
  constexpr bool gate = has_gate<Epilogue>;
  static_assert(!is_indexed<B>, "gemm: the rows of A are gathered and those of C scattered, none of B.");
  constexpr bool one = gates<Epilogue>::count <= 1;
  static_assert(is_indexed<B> || one, "gemm: an epilogue has one gate. Leave out the second gemm::gated.");
  constexpr call_form form = form_of_call<without_index<A>, B, without_index<C>, identity>;
  constexpr bool other = form == call_form::pointers || form == call_form::grouped || is_prepacked<A> ||
                         is_prepacked<B> || is_ragged_by_column<A> || is_ragged_by_column<B> || is_ragged_by_column<C>;
  static_assert(is_indexed<B> || !one || !other,
                "gemm: gathered, scattered and gated are not for pointers, prepacked operands, grouped views or ragged "
                "columns.");
  constexpr bool by_row = [] {
    if constexpr (requires { C::layout; }) {
      return C::layout == order::row;
    }
    return true;
  }();
  static_assert(is_indexed<B> || !one || other || by_row,
                "gemm: gathered and scattered rows and gemm::gated need a row-major C. Use gemm::row_major.");
  constexpr bool gathers = is_indexed<A>, stores = gate || is_indexed<C>;
  constexpr bool follows = follows_indices<Policy, gathers, stores>();
  static_assert(is_indexed<B> || !one || other || !by_row || follows,
                "gemm: gathered and scattered rows and gemm::gated need automatic, sm80_mma, pipelined or sm90_wgmma, "
                "not split; the latter two persistent blocks without swap_ab. Use one of these.");
  if constexpr (!is_indexed<B> && one && !other && by_row && follows) {
    return check_types<Policy, without_index<A>, B, without_index<C>, typename gates<Epilogue>::without>();
  }
  return false;
}

}  // namespace gemm::detail
