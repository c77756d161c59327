// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules of a call with gathered or scattered rows, or with a gate among its epilogues, and its problem.
#pragma once

#include <cstdint>
#include <type_traits>

#include <gemm/block/indexed_problem.cuh>
#include <gemm/choose/arguments.hpp>
#include <gemm/choose/grouped_rules.hpp>
#include <gemm/choose/plan_memo.hpp>
#include <gemm/choose/ragged_rules.hpp>
#include <gemm/choose/type_rules.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/epilogue/gated.hpp>
#include <gemm/grouped.hpp>
#include <gemm/indexed.hpp>
#include <gemm/launch/indexed.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/pointers.hpp>
#include <gemm/policy.hpp>
#include <gemm/prepacked.hpp>
#include <gemm/ragged.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

template <class A>
requires(is_indexed<A> && !is_ragged<A>) struct scalar_of<A> : scalar_of<plain_view_of<A>> {
};

template <class View>
using without_index = typename index_of_view<View>::without;

/// Whether a policy's kernel has rows of A gathered, and stores rows of C one by one, as far as a call wants it.
template <class Policy, bool Gathers, bool ByRow>
constexpr bool follows_indices() {
  if constexpr (policy<Policy>) {
    return (!ByRow || can_store_by_row<Policy>)&&(!Gathers || can_gather<Policy>)&&!Policy::info.is_split();
  } else {
    return !std::is_same_v<Policy, fp32_emulated>;
  }
}

/// The rules of indices and gates, and then those of the same call without them.
template <class Policy, class A, class B, class C, class Epilogue>
requires(is_by_row<A, B, C, Epilogue>) constexpr bool check_types() {
  constexpr bool gate = has_gate<Epilogue>;
  static_assert(!is_indexed<B>, "gemm: the rows of A are gathered and those of C scattered, none of B.");
  constexpr bool one = gates<Epilogue>::count <= 1;
  static_assert(is_indexed<B> || one, "gemm: an epilogue has one gate. Leave out the second gemm::gated.");
  constexpr bool other = has_pointers<A> || has_pointers<B> || has_pointers<C> || is_prepacked<A> || is_prepacked<B> ||
                         is_grouped<A> || is_grouped<B> || is_grouped<C> || is_ragged_by_column<A> ||
                         is_ragged_by_column<B> || is_ragged_by_column<C>;
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

/// The rules of a view with an index.
template <class View>
status validate_index(char const* name, View const& given) {
  if constexpr (is_indexed<View>) {
    using wide = long long;
    auto const& m = view_of(plain_view(given));
    if (m.batch_count != 1) {
      return broken_rule("%s is a batch of %lld, needs one matrix: its rows have an index", name, wide{m.batch_count});
    }
    if (m.rows > 0 && given.index == nullptr) {
      return broken_rule("the index of %s's rows is null, needs %lld numbers", name, wide{m.rows});
    }
    if (reinterpret_cast<std::uintptr_t>(given.index) % alignof(std::int32_t) != 0) {
      return broken_rule("the index of %s's rows has the pointer %p, no multiple of 4 bytes", name,
                         static_cast<void const*>(given.index));
    }
  }
  return {};
}

/// The rules of indices and gates. B's columns become those of C, if they are twice as many.
template <class A, class C, class Scalar, class Epilogue>
status validate_indexed(A const& a, view_facts& of_b, C const& c, options<Scalar> const& opts, Epilogue const&) {
  using wide = long long;
  status result = validate_index("A", a);
  result = result ? validate_index("C", c) : result;
  if (result && is_indexed<C> && opts.zero_rest) {
    return broken_rule("%s is set, but C is scattered: which rows are the rest is not known", "zero_rest");
  }
  if constexpr (has_gate<Epilogue>) {
    result = result ? validate_view(of_b) : result;
    if (result && opts.beta != Scalar(0)) {
      return broken_rule("beta is %g, needs 0: gated makes one column of C of two of the product",
                         static_cast<double>(opts.beta));
    }
    if (result && c.columns >= 0 && of_b.columns != 2 * c.columns) {
      return broken_rule("B has %lld columns, needs %lld: gated makes one column of C (n = %lld) of two",
                         wide{of_b.columns}, 2 * wide{c.columns}, wide{c.columns});
    }
    of_b.columns = c.columns;
  }
  return result;
}

/// The rules of an epilogue: before a gate C has twice the columns.
template <class Epilogue>
status check_call_epilogue(Epilogue const& epilogue, std::int64_t rows, std::int64_t columns, std::int64_t products) {
  if constexpr (has_gate<Epilogue>) {
    auto const parts = split_at_gate(epilogue);
    status result = check_epilogue(parts.before, rows, 2 * columns, products);
    result = result ? check_epilogue(parts.activation, rows, columns, products) : result;
    return result ? check_epilogue(parts.after, rows, columns, products) : result;
  } else {
    return check_epilogue(epilogue, rows, columns, products);
  }
}

/// The problem with the indices of the views that have some. One row alone may be any of memory's.
template <class Problem, class A, class C>
auto problem_of_indices(Problem const& p, A const& a, C const& c) {
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

/// No tuned plan of a product is that of one with indices.
template <class Problem, bool Gathers, bool Scatters>
tuned_problem key_of(indexed_problem<Problem, Gathers, Scatters> const& p) {
  tuned_problem key = key_of(static_cast<Problem const&>(p));
  key.storage = "indexed";
  return key;
}

}  // namespace gemm::detail
