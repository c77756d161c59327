// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches of a product, whose k may be split.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/block/stream_slices.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/host/candidates.hpp>
#include <gemm/host/front.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/policy_facts.hpp>
#include <gemm/host/policy_facts_of.hpp>
#include <gemm/host/split_plan.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The product of every slice, [slice][batch].
template <class Problem>
[[gnu::noinline]] auto problem_of_slices(Problem const& p, split_plan const& plan, typename Problem::accum* sums) {
  auto q = problem_like<typename Problem::storage>(p, sums, k_slices{.depth = plan.depth, .count = plan.slices});
  q.ldc = plan.ld;
  q.batch_stride_c = plan.rows * plan.ld;
  q.batch_count *= plan.slices;
  q.alpha = 1;
  q.beta = 0;
  return q;
}

/// Whether a policy's kernel for slices can sum whole products, too: where both store the same elements.
template <class Policy, class Problem>
inline constexpr bool sums_whole_as_slice = [] {
  if constexpr (requires { requires Policy::sums_whole_as_slice; }) {
    return std::is_same_v<typename Problem::output, typename Problem::accum> &&
           std::is_same_v<decltype(Problem::epilogue), identity>;
  } else {
    return false;
  }
}();

/// The whole product, as that kernel is told it.
template <class Problem>
[[gnu::noinline]] auto problem_of_whole(Problem const& p) {
  return problem_like<typename Problem::storage>(p, p.c, k_slices{.depth = 0, .count = 1});
}

/// The problem whose blocks sum and add the slices of its last tiles; `memory` has the plan's bytes.
template <class Problem>
[[gnu::noinline]] stream_problem<Problem> problem_of_stream(policy_facts const& of, Problem const& p,
                                                            split_plan const& plan, void* memory) {
  using accum = typename Problem::accum;
  auto* const sums = static_cast<accum*>(memory);
  std::int64_t const elements = plan.cut_tiles * std::int64_t{plan.slices} * of.block_m * of.block_n;
  return {p,
          plan.whole_tiles,
          plan.cut_tiles,
          plan.first_tile_n,
          plan.slices,
          plan.depth,
          plan.first_longer,
          sums,
          reinterpret_cast<unsigned long long*>(sums + elements)};
}

/// Enqueues the addition of the slices into C.
template <int Groups, class Problem>
status enqueue_addition(slice_sums<Problem> const& sums, cudaStream_t stream) {
  dim3 const grid(static_cast<unsigned>(tiles(sums.rows * sums.ld, added_by_block<Groups, Problem>)),
                  static_cast<unsigned>(sums.whole.batch_count));
  constexpr std::size_t shared = Groups > 1 ? sizeof(adding_storage<Groups, typename Problem::accum>) : 0;
  cudaError_t const error = launch(&add_slices_kernel<Groups, Problem>, grid, adding_threads<Groups>, shared, stream,
                                   sums, launch_kind{.dependent = launches_dependents()});
  return error == cudaSuccess ? status{} : not_launched("the addition of the slices", error);
}

template <class Problem>
[[gnu::noinline]] status enqueue_addition_to(policy_facts const& of, Problem p, split_plan const& plan,
                                             typename Problem::accum const* sums, cudaStream_t stream) {
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c, p.ldc, p.batch_stride_c);
  fragment_tiles const in_tiles =
      of.slices_in_fragments ? fragment_tiles{of.block_m, of.block_n, of.turns_tiles} : fragment_tiles{};
  slice_sums<Problem> const s{
      .whole = p, .data = sums, .rows = plan.rows, .ld = plan.ld, .count = plan.slices, .tiles = in_tiles};
  return plan.slices < many_slices ? enqueue_addition<1>(s, stream) : enqueue_addition<groups_for_many>(s, stream);
}

/// Enqueues the product of operands that are packed, if they have to be; `sums` has the plan's bytes. A whole product
/// goes to the kernel for slices where there is one that can sum it.
template <class Policy, splits Splits, class Problem>
status enqueue_product(Problem const& p, split_plan const& plan, void* sums, cudaStream_t stream) {
  policy_facts const& of = policy_facts_of<Policy, Problem>;
  if constexpr (Splits.in_cluster) {
    if (plan.by == addition::cluster) {
      if constexpr (takes_cluster_slices<Policy, Problem>) {
        return enqueue<Policy>(p, stream, {plan.slices, plan.depth, reduction::cluster});
      } else {
        return enqueue<Policy>(cluster_problem<Problem>{p, plan.depth, plan.slices}, stream);
      }
    }
  }
  if constexpr (Splits.streams) {
    if (plan.by == addition::last_block) {
      return enqueue<Policy>(problem_of_stream(of, p, plan, sums), stream);
    }
  }
  if constexpr (Splits.in_workspace) {
    if (plan.slices > 1) {
      auto* const data = static_cast<typename Problem::accum*>(sums);
      status result;
      if constexpr (takes_slices<Policy, Problem>) {
        result = enqueue<Policy>(p, stream, {plan.slices, plan.depth, reduction::workspace, data});
      } else {
        result = enqueue<Policy>(problem_of_slices(p, plan, data), stream);
      }
      return result ? enqueue_addition_to(of, p, plan, data, stream) : result;
    }
  }
  if constexpr (Splits.in_workspace && sums_whole_as_slice<Policy, Problem>) {
    return enqueue<Policy>(problem_of_whole(p), stream);
  } else {
    return enqueue<Policy>(p, stream);
  }
}

}  // namespace gemm::detail
