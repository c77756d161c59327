// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a problem to a launch: access width, grid, shared memory, errors.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <gemm/block/problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/extremes.hpp>
#include <gemm/kernel/repack.cuh>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/grids.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/policy.hpp>
#include <gemm/schedule/work.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

template <class Problem>
launch_facts facts_of_launch(compiled_kernel const& of, Problem const& p) {
  std::string_view const policy = of.uses_tma() ? of.name : std::string_view{};
  return {
      p.m, p.n, p.batch_count, of.block_m, of.block_n, of.shared_bytes, policy, of.input_bytes == 1 && !of.integers};
}

template <class Policy, class Problem>
static status check_launch(Problem const& p) {
  return check_launch(facts_of_launch(compiled_kernel_of<Policy, Problem>, p));
}

[[gnu::cold]] inline status not_launched(std::string_view what, cudaError_t error) {
  static_cast<void>(cudaGetLastError());  // reported here: must not surface in the caller's next check
  return {status_code::cuda_failure,     error,       "%.*s was not launched: %s",
          static_cast<int>(what.size()), what.data(), cudaGetErrorString(error)};
}

/// A policy's kernels for problems of one type: for any operands, and for those that can be accessed in wide pieces, or
/// loaded by TMA.
template <class Parameter>
struct policy_kernels {
  void (*always)(Parameter);
  void (*better)(Parameter);
};

template <class Parameter>
policy_kernels<Parameter> both_kernels(void (*always)(Parameter), void (*better)(Parameter)) {
  return {always, better};
}

/// A repacked policy's kernel is always the one for TMA: TMA can load the operands, or there is no k and nothing to
/// load.
template <class Policy, class Problem>
static auto kernels_of() {
  using own = direct<Policy>;
  constexpr bool always_by_tma = uses_tma<Policy> && repacks<Policy>;
  auto* const always = own::template kernel<own, Problem, always_by_tma>();
  constexpr bool has_better = [] {
    if constexpr (uses_tma<Policy>) {
      return takes_operands<Policy, Problem>;
    } else {
      return has_wide_kernel<Policy, Problem>;
    }
  }();
  if constexpr (has_better) {
    return both_kernels(always, own::template kernel<own, Problem, true>());
  } else {
    return both_kernels(always, always);
  }
}

/// How a kernel is launched, but for its parameter.
struct launch_shape {
  dim3 grid;
  std::size_t shared_bytes;
  launch_kind kind;
};

template <class Parameter>
static status launch_policy(compiled_kernel const& of, void (*kernel)(Parameter), launch_shape const& shape,
                            cudaStream_t stream, Parameter const& parameter) {
  cudaError_t const error = launch(kernel, shape.grid, of.threads, shape.shared_bytes, stream, parameter, shape.kind);
  return error == cudaSuccess ? status{} : not_launched(of.name, error);
}

/// Makes the maps of a kernel's operands and the launch's shape, and says whether the kernel is the one for TMA. It
/// starts while the kernel before ends, whatever that is, and waits for it by itself.
template <class Problem>
[[gnu::noinline]] status prepare_maps(compiled_kernel const& of, tma_problem<Problem>& x, launch_shape& shape,
                                      bool& by_tma, split_plan const& plan) {
  Problem const& p = x.problem;
  bool const in_cluster = plan.by == reduction::cluster;
  int const cluster = in_cluster ? plan.slices : of.cluster_blocks();
  by_tma = of.repacks;
  shape = {grid_of_works(p, plan, of.is_persistent()), of.shared_bytes,
           launch_kind{.cluster = cluster, .dependent = true}};
  status result;
  if (of.takes_operands && loads_by_tma(of, p)) {
    by_tma = true;
    result = encode_tensor_map(x.a, matrices_of_a(of, p));
    result = result ? encode_tensor_map(x.b, matrices_of_b(of, p)) : result;
    if constexpr (has_edges<Problem>) {
      result = result && of.on_tensor_cores() && !of.is_small_tile() ? encode_edges(of, x) : result;
    }
  }
  if (in_cluster && !of.on_tensor_cores()) {
    // Otherwise some blocks share a multiprocessor while others are idle (docs/tuning-notes.md, Launches).
    int multiprocessors = 0;  // stays so where it cannot be found out: then none are kept apart
    static_cast<void>(device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount));
    double const blocks = static_cast<double>(shape.grid.x) * shape.grid.y * shape.grid.z;
    shape.shared_bytes =
        greater(shape.shared_bytes, spread_bytes(blocks_each(blocks, cluster, of.resident, multiprocessors)));
  } else if (result && of.is_persistent() && by_tma && !in_cluster) {
    result = shape_persistent(of, p, plan.slices, shape.grid, shape.shared_bytes);
  }
  return result;
}

/// Makes the map of C as well, where TMA can store it.
template <class Problem>
status prepare_maps(compiled_kernel const& of, tma_store_problem<Problem>& x, launch_shape& shape, bool& by_tma,
                    split_plan const& plan) {
  Problem const& p = x.loads.problem;
  status const result = prepare_maps(of, x.loads, shape, by_tma, plan);
  x.stores = p.beta == 0 && p.vector_c && tma_can_store(p);  // or warps gather rows where TMA still reads
  return result && x.stores ? encode_tensor_map(x.c, matrices_of_c(p)) : result;
}

/// The launch of blocks that have one work each, without TMA. It starts while the kernel before ends, if it waits for
/// that by itself.
template <class Problem>
static launch_shape shape_of_works(compiled_kernel const& of, Problem const& p, split_plan const& plan) {
  dim3 const grid = grid_of_works(p, plan, false);
  int multiprocessors = 0;  // where it cannot be found out, none start early
  static_cast<void>(device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount));
  double const blocks = static_cast<double>(grid.x) * grid.y * grid.z;
  int const cluster = plan.by == reduction::cluster ? plan.slices : 1;
  bool const early = of.dependent_launch && launches_dependents();
  int const each = early ? blocks_each(blocks, cluster, of.resident, multiprocessors) : 0;
  return {grid, greater(of.shared_bytes, spread_bytes(each)), launch_kind{.cluster = cluster, .dependent = early}};
}

/// Enqueues one of a policy's kernels for a problem: overloads for its parameter.
template <class Problem>
[[gnu::noinline]] static status enqueue_kernel(compiled_kernel const& of, policy_kernels<Problem> const& kernels,
                                               Problem const& p, cudaStream_t stream) {
  Problem in_blocks = p;  // of which each may compute several products of the batch
  in_blocks.batch_count = tiles(p.batch_count, of.products);
  return launch_policy(of, reads_wide(of, p) ? kernels.better : kernels.always, shape_of_works(of, in_blocks, {}),
                       stream, p);
}
template <class Problem>
[[gnu::noinline]] static status enqueue_kernel(compiled_kernel const& of,
                                               policy_kernels<scheduled<Problem>> const& kernels, Problem const& p,
                                               cudaStream_t stream, split_plan const& plan, void* workspace) {
  scheduled<Problem> x{.io = p, .order = {}};
  give_works(x, of, p, plan, workspace, false);
  return launch_policy(of, reads_wide(of, p) ? kernels.better : kernels.always, shape_of_works(of, p, plan), stream, x);
}

/// What a kernel is given that loads by TMA, or stores C so, too.
template <class Io, class Problem>
Io io_of(Problem const& p) {
  if constexpr (requires(Io const& io) { io.loads; }) {
    return {.loads = {.a = {}, .b = {}, .problem = p}, .c = {}, .stores = false};
  } else {
    return {.a = {}, .b = {}, .problem = p};
  }
}
template <class Io, class Problem>
[[gnu::noinline]] static status enqueue_kernel(compiled_kernel const& of, policy_kernels<scheduled<Io>> const& kernels,
                                               Problem const& p, cudaStream_t stream, split_plan const& plan,
                                               void* workspace) {
  scheduled<Io> x{.io = io_of<Io>(p), .order = {}};
  launch_shape shape{};
  bool by_tma = false;
  status const result = prepare_maps(of, x.io, shape, by_tma, plan);
  give_works(x, of, p, plan, workspace, of.is_persistent() && by_tma);
  return result ? launch_policy(of, by_tma ? kernels.better : kernels.always, shape, stream, x) : result;
}

/// Enqueues the policy's kernel for a problem that check_launch() has passed. `plan`, and the workspace with its bytes:
/// of a kernel that follows a schedule.
template <class Policy, class Problem>
static status enqueue(Problem p, cudaStream_t stream, split_plan const& plan = {}, void* workspace = nullptr) {
  compiled_kernel const& of = compiled_kernel_of<Policy, Problem>;
  p.tiles_m = static_cast<int>(tiles(p.m, of.block_m * of.cluster_m));
  p.tiles_n = static_cast<int>(tiles(p.n, of.block_n * of.cluster_n));
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c);
  auto const kernels = kernels_of<Policy, Problem>();
  if constexpr (requires { enqueue_kernel(of, kernels, p, stream, plan, workspace); }) {
    return enqueue_kernel(of, kernels, p, stream, plan, workspace);
  } else {
    return enqueue_kernel(of, kernels, p, stream);
  }
}

}  // namespace gemm::detail
