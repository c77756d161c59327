// SPDX-License-Identifier: BSL-1.0
//! @file
//! Gathered rows of A, copied where TMA is to load them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/extremes.hpp>
#include <gemm/kernel/gather_rows.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel_info.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/repack.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/policy.hpp>
#include <gemm/ragged.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// TMA loads a gathered A from a copy, and threads where it lies.
template <gathering Problem>
bool loads_a(compiled_kernel const& kernel, Problem const&) {
  return !kernel.uses_tma();
}

/// Where the ranges of products end, if the rows are ragged.
template <class Problem>
rows_of_products ranges_of(Problem const&) {
  return {};
}
template <class Problem>
rows_of_products ranges_of(ragged_problem<Problem, false> const& p) {
  return {p.ranges, static_cast<int>(p.batch_count)};
}

/// Enqueues the gathering of A's rows, and then the copy of B, if there is one.
template <class Policy, gathering Problem>
static status enqueue_repack(Problem const& p, repack_plan const& plan, void* memory, cudaStream_t stream) {
  if (plan.a.matrices > 0) {
    using word = copied_word<sizeof(typename Problem::element_a)>;
    constexpr std::int64_t most_blocks = 8192;
    gathered_rows<word> const params{.from = reinterpret_cast<word const*>(p.a.data),
                                     .to = static_cast<word*>(memory),
                                     .index = p.of_a,
                                     .ld_from = p.a.ld,
                                     .ld_to = plan.a.ld,
                                     .rows = p.m,
                                     .length = p.k,
                                     .products = ranges_of(p)};
    dim3 const grid(static_cast<unsigned>(lesser(tiles(p.m, gather_threads / 32), most_blocks)));
    launch_kind const kind{.dependent = current_code().dependent_launch};
    status const result = status_of_launch(
        "the gathering of A's rows", launch(&gather_rows_kernel<word>, grid, gather_threads, 0, stream, params, kind));
    if (!result) {
      return result;
    }
  }
  repack_plan of_b = plan;
  of_b.a = {};
  unsigned char* const begin = static_cast<unsigned char*>(memory) + plan.a.bytes;
  return enqueue_copies<packed_storage<Policy, Problem>>(p, of_b, begin, stream);
}

}  // namespace gemm::detail
