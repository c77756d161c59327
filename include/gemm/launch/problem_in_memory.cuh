// SPDX-License-Identifier: BSL-1.0
//! @file
//! The problem of a call whose views say where in device memory its products, their ranges, or their rows are.
#pragma once

#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/pointer_problem.cuh>
#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/grouped.hpp>
#include <gemm/indexed.hpp>
#include <gemm/matrix.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/pointers.hpp>
#include <gemm/ragged.hpp>

namespace gemm::detail {

/// The problem with the indices of the views that have some. One row alone may be any of memory's.
template <class Problem, class A, class C>
auto with_indices(Problem const& p, A const& a, C const& c) {
  if constexpr (is_indexed<A> || is_indexed<C>) {
    indexed_problem<Problem, is_indexed<A>, is_indexed<C>> q{p, index_in(a), index_in(c)};
    q.a.ld = is_indexed<A> && p.k > 0 ? view_of(plain_view(a)).ld : p.a.ld;
    q.c.ld = is_indexed<C> ? view_of(plain_view(c)).ld : p.c.ld;
    q.constant.a = p.constant.a && !is_indexed<A>;  // or the copy's, which the kernel before may still write
    return q;
  } else {
    return p;
  }
}

/// The pointers of a view that has some, else null.
template <class T, class View>
T* const* pointers_in(View const& view) {
  if constexpr (has_pointers<View>) {
    return reinterpret_cast<T* const*>(view.of_matrix);
  } else {
    return nullptr;
  }
}

/// A problem of what the products have in common as that of the call's views.
template <class Problem, class A, class B, class C>
auto problem_in_memory(Problem const& common, A const& a, B const& b, C const& c) {
  constexpr bool swaps = C::layout == order::column;
  auto const p = with_indices(common, a, c);
  using problem_type = std::remove_const_t<decltype(p)>;
  if constexpr (has_pointers<A> || has_pointers<B> || has_pointers<C>) {
    auto const with = [&](auto const& first, auto const& second) {
      return pointer_problem<problem_type>{p, pointers_in<typename Problem::element_a const>(first),
                                           pointers_in<typename Problem::element_b const>(second),
                                           pointers_in<typename Problem::output>(c)};
    };
    if constexpr (swaps) {
      return with(b, a);
    } else {
      return with(a, b);
    }
  } else if constexpr (is_grouped<C>) {
    return grouped_problem<problem_type, plain_view_of<A>, plain_view_of<B>, plain_view_of<C>>{
        p, a.of_product, b.of_product, c.of_product};
  } else if constexpr (has_ranges<C>) {
    ragged_problem<problem_type, is_ragged<C> == swaps> q{p, c.ranges};
    q.batch_count = c.groups;
    return q;
  } else if constexpr (has_ranges<A>) {
    return ragged_k_problem<problem_type>{p, a.ranges};
  } else {
    return p;
  }
}

}  // namespace gemm::detail
