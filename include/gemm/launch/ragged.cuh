// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose ranges of rows, columns or k lie in device memory: their problem, and their launch, which depends on
//! none of them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/operand.hpp>
#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/kernel_info.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/pointers.cuh>
#include <gemm/launch/repack.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/matrix.hpp>
#include <gemm/policy.hpp>
#include <gemm/ragged.hpp>
#include <gemm/schedule/ragged.cuh>
#include <gemm/schedule/ragged_k.cuh>

namespace gemm::detail {

/// Whether a policy's kernel takes its works from ranges: persistent ones of wgmma, and those of one work a block.
template <class Policy>
inline constexpr bool follows_ranges = has_own_work<Policy> ||
                                       (direct<Policy>::info.op == math_op::wgmma &&
                                        direct<Policy>::info.is_persistent() && !direct<Policy>::info.split_terms);

/// Whether a policy's kernel loads a k of their own by TMA: k runs from row to row in A and B.
template <class Policy, class Problem>
inline constexpr bool loads_ragged_k = direct<Policy>::info.op ==
                                           math_op::wgmma&& direct<Policy>::info.is_persistent() &&
                                       !direct<Policy>::info.split_terms && Problem::storage::a == major::mn
                                       && Problem::storage::b == major::mn &&
                                       !arch::wgmma_needs_k_major<typename Problem::element_a>;

/// The problem of all rows, columns or k as that of products, where they are ragged.
template <class Problem, class A, class C>
auto problem_of_groups(Problem const& p, A const& a, C const& c) {
  if constexpr (has_ranges<C>) {
    ragged_problem<Problem, is_ragged<C> == (C::layout == order::column)> q{p, c.ranges};
    q.batch_count = c.groups;
    return q;
  } else if constexpr (has_ranges<A>) {
    return ragged_k_problem<Problem>{p, a.ranges};
  } else {
    return p;
  }
}

template <class Policy, class Problem, bool OfColumns>
auto problem_of_packed(ragged_problem<Problem, OfColumns> const& p, repack_plan const& plan, void* memory) {
  auto const packed = problem_of_packed<Policy>(static_cast<Problem const&>(p), plan, memory);
  return ragged_problem<std::remove_const_t<decltype(packed)>, OfColumns>{packed, p.ranges};
}

template <class Policy, class Problem>
auto problem_of_packed(ragged_k_problem<Problem> const& p, repack_plan const& plan, void* memory) {
  auto const packed = problem_of_packed<Policy>(static_cast<Problem const&>(p), plan, memory);
  return ragged_k_problem<std::remove_const_t<decltype(packed)>>{packed, p.ranges};
}

/// Operands with block_k rows from each row of memory on (block/ragged_k_problem.cuh).
template <class T>
tma_matrices<T> matrices_from_rows(tma_matrices<T> all, int block_k) {
  all.batches = all.outer;
  all.batch_stride = all.ld;
  all.outer = block_k;
  return all;
}
template <class Problem>
auto matrices_of_a(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p) {
  return matrices_from_rows(matrices_of(kernel, kernel.a, p.a, p.m, p.k, 1), kernel.block_k);
}
template <class Problem>
auto matrices_of_b(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p) {
  return matrices_from_rows(matrices_of(kernel, kernel.b, p.b, p.n, p.k, 1), kernel.block_k);
}

/// Whether products begin at any element of an operand along memory, which TMA and wide copies cannot.
template <class Problem, bool OfColumns>
bool begins_at_any_element(ragged_problem<Problem, OfColumns> const& p) {
  return (OfColumns ? Problem::storage::b : Problem::storage::a) == major::mn && !p.ranges.counted;
}

/// Products begin at any column of C, too.
template <class Problem, bool OfColumns>
bool stores_vectors(ragged_problem<Problem, OfColumns> const& p) {
  return (!OfColumns || p.ranges.counted) && stores_vectors(static_cast<Problem const&>(p));
}
template <class Problem, bool OfColumns>
bool reads_wide(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p,
                repack_plan const& packing = {}) {
  return !begins_at_any_element(p) && reads_wide(kernel, static_cast<Problem const&>(p), packing);
}

/// A k along memory begins at any element, too. Operands that are copied by element anyway may.
template <class Problem>
bool reads_wide(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p, repack_plan const& packing = {}) {
  bool const a = Problem::storage::a == major::mn || kernel.wide_access_a == 1,
             b = Problem::storage::b == major::mn || kernel.wide_access_b == 1;
  return a && b && reads_wide(kernel, static_cast<Problem const&>(p), packing);
}

/// Tiles of all products, at most: each has one that is not whole.
template <class Problem, bool OfColumns>
std::int64_t most_tiles(schedule const& s, ragged_problem<Problem, OfColumns> const& p) {
  std::int64_t const along = OfColumns ? s.tiles_n : s.tiles_m, others = OfColumns ? s.tiles_m : s.tiles_n;
  return (p.ranges.counted ? along * p.batch_count : along + p.batch_count) * others;
}

/// As that of a batch, but for the grid of one work a block, which has as many as there may be.
template <class Problem, bool OfColumns>
launch_plan plan_launch(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p,
                        split_plan const& split, repack_plan const& packing = {}) {
  launch_plan plan = plan_launch<ragged_problem<Problem, OfColumns>>(kernel, p, split, packing);
  if (plan.order.order != tile_order::persistent) {
    std::int64_t const all = most_tiles(plan.order, p), y = tiles(all, 0x7fffffff);
    plan.grid = dim3(static_cast<unsigned>(tiles(all, y)), static_cast<unsigned>(y));
  }
  return plan;
}

}  // namespace gemm::detail
