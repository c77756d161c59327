// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose views lie in device memory: their problem, and their launch, which depends on none of them.
#pragma once

#include <cstddef>

#include <gemm/block/grouped_problem.cuh>
#include <gemm/extremes.hpp>
#include <gemm/grouped.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/schedule/grouped.cuh>

namespace gemm::detail {

/// The problem of typical sizes as that of the views in device memory, where there are any.
template <class Problem, class A, class B, class C>
auto problem_of_grouped(Problem const& p, A const& a, B const& b, C const& c) {
  if constexpr (is_grouped<C>) {
    return grouped_problem<Problem, plain_view_of<A>, plain_view_of<B>, plain_view_of<C>>{p, a.of_product, b.of_product,
                                                                                          c.of_product};
  } else {
    return p;
  }
}

/// What the host knows of no view.
template <class Problem, class A, class B, class C>
bool reads_wide(compiled_kernel const&, grouped_problem<Problem, A, B, C> const&, repack_plan const& = {}) {
  return false;
}

/// As many blocks as the device holds take the works in turn; each has the one at hand in shared memory.
template <class Problem, class A, class B, class C>
launch_plan plan_launch(compiled_kernel const& kernel, grouped_problem<Problem, A, B, C> const& p,
                        split_plan const& split, repack_plan const& packing = {}) {
  launch_plan plan = plan_launch<grouped_problem<Problem, A, B, C>>(kernel, p, split, packing);
  plan.grid = dim3(static_cast<unsigned>(greater(1, kernel.resident * multiprocessors_of_call())));
  plan.shared_bytes = (kernel.shared_bytes + 15) / 16 * 16 + sizeof(grouped_work);
  return plan;
}

}  // namespace gemm::detail
