// SPDX-License-Identifier: BSL-1.0
//! @file
//! Batches whose matrices are where arrays of pointers say: their problem, and the kernels for them.
#pragma once

#include <gemm/block/pointer_problem.cuh>
#include <gemm/kernel_info.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/matrix.hpp>
#include <gemm/pointers.hpp>
#include <gemm/policy.hpp>
#include <gemm/schedule/own_problem.cuh>

namespace gemm::detail {

/// Whether a policy's kernel has one work a block, whose operands threads copy: it asks for its product at its start.
template <class Policy>
inline constexpr bool has_own_work = [] {
  constexpr kernel_info info = direct<Policy>::info;
  return info.loader == operand_loader::cp_async && info.most_k == 0 && info.products <= 1 && !info.split_terms;
}();

/// The problem with the pointers of the views that have some.
template <class Problem, class A, class B, class C>
auto problem_of_pointers(Problem const& p, A const& a, B const& b, C const& c) {
  if constexpr (has_pointers<A> || has_pointers<B> || has_pointers<C>) {
    auto const pointers_of = []<class Element>(auto const& view, Element* const*) -> Element* const* {
      if constexpr (has_pointers<std::remove_cvref_t<decltype(view)>>) {
        return reinterpret_cast<Element* const*>(view.of_matrix);
      } else {
        return nullptr;
      }
    };
    using first = typename Problem::element_a const;
    using second = typename Problem::element_b const;
    pointer_problem<Problem> q{p, nullptr, nullptr,
                               pointers_of(c, static_cast<typename Problem::output* const*>(nullptr))};
    if constexpr (C::layout == order::column) {
      q.of_a = pointers_of(b, static_cast<first* const*>(nullptr));
      q.of_b = pointers_of(a, static_cast<second* const*>(nullptr));
    } else {
      q.of_a = pointers_of(a, static_cast<first* const*>(nullptr));
      q.of_b = pointers_of(b, static_cast<second* const*>(nullptr));
    }
    return q;
  } else {
    return p;
  }
}

/// What the host knows of no pointer.
template <class Problem>
bool reads_wide(compiled_kernel const&, pointer_problem<Problem> const&, repack_plan const& = {}) {
  return false;
}

}  // namespace gemm::detail
