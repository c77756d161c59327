// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the types of a call of grouped products must keep.
#pragma once

#include <gemm/choose/type_rules.hpp>
#include <gemm/grouped.hpp>
#include <gemm/plain_view.hpp>

namespace gemm::detail {

/// Of products that differ those, and then those of the matrices.
template <class Policy, class A, class B, class C, class Epilogue>
requires(any_grouped<A, B, C> && !is_by_row<A, B, C, Epilogue>) constexpr bool check_types() {
  constexpr bool matrices = is_grouped<A> && is_grouped<B> && is_grouped<C>;
  static_assert(matrices, "gemm: A, B and C are grouped together: each has an array of views, of matrices alone.");
  constexpr bool has_work = has_works_of_own<Policy>;
  static_assert(!matrices || has_work,
                "gemm: grouped products need automatic, sm80_mma or pipelined, not split. Use one of these.");
  if constexpr (matrices && has_work) {
    return check_types<Policy, plain_view_of<A>, plain_view_of<B>, plain_view_of<C>, Epilogue>();
  }
  return false;
}

}  // namespace gemm::detail
