// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches of a product, whose k may be split.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Enqueues the addition of the slices into C.
template <class Problem>
[[gnu::noinline]] static status enqueue_addition(compiled_kernel const& kernel, Problem p, split_plan const& split,
                                                 typename Problem::accum const* accum, cudaStream_t stream) {
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c);
  fragment_tiles const in_tiles = kernel.slices_in_fragments
                                      ? fragment_tiles{kernel.block_m, kernel.block_n, kernel.transposed_fragments}
                                      : fragment_tiles{};
  slice_accum<Problem> const s{.whole = p,
                               .data = accum,
                               .rows = split.rows,
                               .ld = split.ld,
                               .count = split.slices,
                               .groups = groups_for(split.slices),
                               .tiles = in_tiles};
  dim3 const grid(static_cast<unsigned>(tiles(split.rows * split.ld, added_by_block<Problem>(split.slices))),
                  static_cast<unsigned>(p.batch_count));
  std::size_t const shared = s.groups > 1 ? sizeof(adding_storage<typename Problem::accum>) : 0;
  cudaError_t const error = launch(&add_slices_kernel<Problem>, grid, adding_threads, shared, stream, s,
                                   launch_kind{.dependent = current_code().dependent_launch});
  return status_of_launch("the addition of the slices", error);
}

/// Enqueues the product of operands that are packed, if they have to be; the workspace has the plan's bytes. Splits:
/// how the plan may be.
template <class Policy, splits Splits, class Problem>
static status enqueue_product(Problem const& p, launch_plan const& plan, split_plan const& split, void* workspace,
                              cudaStream_t stream) {
  status const result = enqueue<Policy>(p, plan, stream, split, workspace);
  if constexpr (Splits.in_workspace) {
    if (result && split.mode == reduction::workspace) {
      return enqueue_addition(compiled_kernel_of<Policy, Problem>, p, split,
                              static_cast<typename Problem::accum const*>(workspace), stream);
    }
  }
  return result;
}

}  // namespace gemm::detail
