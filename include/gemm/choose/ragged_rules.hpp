// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the types of a call with ragged or masked views must keep.
#pragma once

#include <gemm/block/problem.cuh>
#include <gemm/choose/type_rules.hpp>
#include <gemm/launch/ragged.cuh>
#include <gemm/plain_view.hpp>
#include <gemm/policy.hpp>
#include <gemm/ragged.hpp>

namespace gemm::detail {

/// Of ragged rows, columns and k those, and then those of the matrices.
template <class Policy, class A, class B, class C, class Epilogue>
requires((has_ranges<A> || has_ranges<B> ||
          has_ranges<C>)&&!(has_pointers<A> || has_pointers<B> || has_pointers<C> || any_grouped<A, B, C> ||
                            is_by_row<A, B, C, Epilogue>)) constexpr bool check_types() {
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

}  // namespace gemm::detail
