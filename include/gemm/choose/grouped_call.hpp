// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a call of products whose views lie in device memory is checked and priced by: as a batch of typical sizes.
#pragma once

#include <cstdint>

#include <gemm/block/grouped_problem.cuh>
#include <gemm/choose/arguments.hpp>
#include <gemm/choose/plan_memo.hpp>
#include <gemm/grouped.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

template <class A>
requires is_grouped<A>
struct scalar_of<A> : scalar_of<plain_view_of<A>> {
};

/// The rules of the three arrays, short of those that the typical views keep as a batch does.
template <class A, class B, class C>
status validate_grouped(A const& a, B const& b, C const& c) {
  if constexpr (is_grouped<C>) {
    using wide = long long;
    if (c.batch_count < 0 || c.batch_count > 0x7fffffff) {
      return broken_rule("there are %lld products, need 0 to 2^31 - 1", wide{c.batch_count});
    }
    if (a.batch_count != c.batch_count || b.batch_count != c.batch_count) {
      return broken_rule("A has %lld views, B %lld and C %lld, need one for each product", wide{a.batch_count},
                         wide{b.batch_count}, wide{c.batch_count});
    }
    if (c.rows < 1 || c.columns < 1 || a.columns < 1) {
      return broken_rule("typical products are %lld x %lld with a k of %lld, need 1 or more", wide{c.rows},
                         wide{c.columns}, wide{a.columns});
    }
  }
  return {};
}

/// No tuned plan of a strided batch is that of products that differ.
template <class Problem, class A, class B, class C>
tuned_problem key_of(grouped_problem<Problem, A, B, C> const& p) {
  tuned_problem key = key_of(static_cast<Problem const&>(p));
  key.storage = "grouped";
  return key;
}

}  // namespace gemm::detail
