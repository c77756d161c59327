// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose views lie in device memory, loaded by TMA: a kernel prepares their maps in the workspace before, and
//! one without TMA computes the products that TMA cannot load after.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/extremes.hpp>
#include <gemm/kernel/prepare_grouped.cuh>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/repack.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/schedule/grouped_maps.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Nothing is packed, but the workspace has what is prepared.
template <class Problem, class A, class B, class C>
repack_plan plan_repack(compiled_kernel const&, grouped_problem<Problem, A, B, C> const& p) {
  using product = prepared_product<Problem>;
  std::size_t const each = sizeof(product) + sizeof(counted_tiles);
  repack_plan plan;
  plan.bytes = static_cast<std::size_t>(p.batch_count) * each + sizeof(unsigned) + alignof(product);
  return plan;
}

/// With where that is in the workspace.
template <class Policy, class Problem, class A, class B, class C>
auto problem_of_packed(grouped_problem<Problem, A, B, C> const& p, repack_plan const&, void* memory) {
  constexpr std::uintptr_t unit = alignof(prepared_product<Problem>);
  grouped_problem<Problem, A, B, C> q = p;
  q.prepared.products =
      reinterpret_cast<prepared_product<Problem>*>((reinterpret_cast<std::uintptr_t>(memory) + unit - 1) / unit * unit);
  q.prepared.tiles = reinterpret_cast<counted_tiles*>(q.prepared.products + p.batch_count);
  q.prepared.others = reinterpret_cast<unsigned*>(q.prepared.tiles + p.batch_count);
  return q;
}

/// The same boxes of one element of `data`, of which the device makes a product's matrix.
template <class T>
status encode_template(CUtensorMap& map, tma_matrices<T> matrices, void const* data) {
  matrices.data = static_cast<T const*>(data);
  matrices.inner = matrices.outer = matrices.batches = 1;
  return encode_tensor_map(map, matrices);
}

/// Enqueues the kernel that prepares the products; `memory` has the plan's bytes.
template <class Policy, class Problem, class A, class B, class C>
static status enqueue_repack(grouped_problem<Problem, A, B, C> const& p, repack_plan const& plan, void* memory,
                             cudaStream_t stream) {
  using whole = grouped_problem<Problem, A, B, C>;
  constexpr std::int64_t most_blocks = 1024;
  compiled_kernel const& kernel = compiled_kernel_of<Policy, whole>;
  unprepared_products<whole> params{.maps = {},
                                    .problem = problem_of_packed<Policy>(p, plan, memory),
                                    .count = static_cast<int>(p.batch_count),
                                    .tile_m = kernel.block_m * kernel.cluster_m,
                                    .tile_n = kernel.block_n * kernel.cluster_n,
                                    .tile_k = kernel.block_k};
  void const* const data = params.problem.prepared.products;
  status result = encode_template(params.maps[0], matrices_of(kernel, kernel.a, p.a, p.m, p.k, 1), data);
  result = result ? encode_template(params.maps[1], matrices_of(kernel, kernel.b, p.b, p.n, p.k, 1), data) : result;
  result = result ? encode_template(params.maps[2], matrices_of_c(p), data) : result;
  if (!result) {
    return result;
  }
  dim3 const grid(static_cast<unsigned>(1 + lesser(tiles(p.batch_count, prepare_warps), most_blocks)));
  launch_kind const kind{.dependent = current_code().dependent_launch};
  return status_of_launch(
      "the preparation of grouped products",
      launch(&prepare_grouped_kernel<whole>, grid, prepare_threads, sizeof(prepare_storage), stream, params, kind));
}

/// The device makes the maps.
template <class Problem, class A, class B, class C>
status make_maps(compiled_kernel const&, tma_problem<grouped_problem<Problem, A, B, C>>&, launch_plan const&) {
  return {};
}
template <class Problem, class A, class B, class C>
status make_maps(compiled_kernel const&, tma_store_problem<grouped_problem<Problem, A, B, C>>& params,
                 launch_plan const&) {
  params.stores = params.loads.problem.beta == 0;
  return {};
}

/// As many blocks as the device holds take the works of views in turn. Without TMA each has the one at hand in shared
/// memory.
template <class Problem, class A, class B, class C>
launch_plan plan_launch(compiled_kernel const& kernel, grouped_problem<Problem, A, B, C> const& p,
                        split_plan const& split, repack_plan const& packing = {}) {
  launch_plan plan = plan_launch<grouped_problem<Problem, A, B, C>>(kernel, p, split, packing);
  int const multiprocessors = multiprocessors_of_call();
  if (kernel.uses_tma()) {
    int const blocks = kernel.cluster_blocks();
    auto const slots = static_cast<int>(tables::cluster_slots(blocks, kernel.min_blocks, multiprocessors));
    plan.grid = dim3(static_cast<unsigned>(greater(1, slots / blocks)), 1, static_cast<unsigned>(blocks));
    plan.shared_bytes = kernel.shared_bytes;
  } else {
    plan.grid = dim3(static_cast<unsigned>(greater(1, kernel.resident * multiprocessors)));
    plan.shared_bytes = (kernel.shared_bytes + 15) / 16 * 16 + sizeof(grouped_work);
  }
  return plan;
}

/// Enqueues a policy's kernel for the products that TMA cannot load.
template <class Policy, class Problem>
static status enqueue_others(Problem p, cudaStream_t stream) {
  p.leaves_to_tma = true;
  return enqueue<Policy>(p, stream);
}

}  // namespace gemm::detail
