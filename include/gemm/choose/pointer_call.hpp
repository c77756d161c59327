// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a call with arrays of pointers is checked and priced by: as a strided batch whose matrices follow each other.
#pragma once

#include <cstdint>

#include <gemm/block/pointer_problem.cuh>
#include <gemm/choose/arguments.hpp>
#include <gemm/choose/plan_memo.hpp>
#include <gemm/grouped.hpp>
#include <gemm/matrix.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/pointers.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

template <class A>
requires has_pointers<A>
struct scalar_of<A> : scalar_of<plain_view_of<A>> {
};

/// The facts of a view, and of one whose matrices device memory says those of the array.
template <class View>
view_facts facts_of_given(char const* name, char const* ld_name, View const& given) {
  view_facts facts = facts_of(name, ld_name, view_of(plain_view(given)));
  if constexpr (has_pointers<View> || is_grouped<View>) {
    double const length = static_cast<double>(facts.row_major ? facts.rows : facts.columns);
    if constexpr (has_pointers<View>) {
      facts.data = given.of_matrix;
    } else {
      facts.data = given.of_product;
    }
    facts.batch_stride = length * static_cast<double>(facts.ld) < 0x1p62 && length > 0 && facts.ld > 0
                             ? (facts.row_major ? facts.rows : facts.columns) * facts.ld
                             : std::int64_t{1} << 62;
  }
  return facts;
}

/// No tuned plan of a strided batch is that of pointers.
template <class Problem>
tuned_problem key_of(pointer_problem<Problem> const& p) {
  tuned_problem key = key_of(static_cast<Problem const&>(p));
  key.storage = "pointers";
  return key;
}

}  // namespace gemm::detail
