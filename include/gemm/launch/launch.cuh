// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a planned problem to a launch: the kernel's parameter, its maps, errors.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gemm/block/gated_store.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/sharded_problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/policy.hpp>
#include <gemm/schedule/work.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

template <class Policy, class Problem>
static status check_launch(Problem const& p) {
  return check_launch(compiled_kernel_of<Policy, Problem>, p.m, p.n, p.batch_count);
}

/// What a launch has returned, as a status.
inline status status_of_launch(std::string_view what, cudaError_t error) {
  if (error == cudaSuccess) {
    return {};
  }
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
      return loads_as_stored<Policy, Problem>;
    } else {
      return has_wide_kernel<Policy, Problem> && may_read_wide<Problem>;
    }
  }();
  if constexpr (has_better) {
    return both_kernels(always, own::template kernel<own, Problem, true>());
  } else {
    return both_kernels(always, always);
  }
}

/// Makes the maps of A and B, if they are loaded by TMA.
template <class Problem>
[[gnu::noinline]] status make_maps(compiled_kernel const& kernel, tma_problem<Problem>& params,
                                   launch_plan const& plan) {
  status result;
  if (plan.maps_ab) {
    Problem const& p = params.problem;
    result = encode_tensor_map(params.a, matrices_of_a(kernel, p));
    result = result ? encode_tensor_map(params.b, matrices_of_b(kernel, p)) : result;
    if constexpr (has_edges<Problem>) {
      result = result && kernel.loads_swizzled() && !kernel.is_small_tile() ? encode_edges(kernel, params) : result;
    }
  }
  return result;
}

/// Makes a map for each shard of C, which is its owner's memory: as if all rows before it lay there, too.
template <scatters_c Problem>
[[gnu::noinline]] status encode_maps_of_c(CUtensorMap (&maps)[most_peers], Problem const& p) {
  status result;
  for (int shard = 0; shard < p.ranks && result; ++shard) {
    line_range const rows = p.range(shard);
    auto matrices = matrices_of_c(p);
    matrices.data = static_cast<typename Problem::output*>(p.results[shard]) - rows.first * p.c.ld;
    matrices.outer = rows.end;
    result = rows.first < rows.end ? encode_tensor_map(maps[shard], matrices) : result;
  }
  return result;
}

/// Makes the map of C as well, where TMA can store it.
template <class Problem>
status make_maps(compiled_kernel const& kernel, tma_store_problem<Problem>& params, launch_plan const& plan) {
  Problem const& p = params.loads.problem;
  status const result = make_maps(kernel, params.loads, plan);
  params.stores = !stores_by_row<Problem> && p.beta == 0 && p.vector_c &&
                  tma_can_store(p);  // or warps gather rows where TMA still reads
  if constexpr (scatters_c<Problem>) {
    return result && params.stores ? encode_maps_of_c(params.c, p) : result;
  } else {
    return result && params.stores ? encode_tensor_map(params.c, matrices_of_c(p)) : result;
  }
}

/// What a kernel is given besides its works: a problem, or one that it loads by TMA, or stores so, too.
template <class Io, class Problem>
Io io_of(Problem const& p) {
  if constexpr (std::is_same_v<Io, Problem>) {
    return p;
  } else if constexpr (requires(Io const& io) { io.loads; }) {
    return {.loads = {.a = {}, .b = {}, .problem = p}, .c = {}, .stores = false};
  } else {
    return {.a = {}, .b = {}, .problem = p};
  }
}

/// Enqueues one of a policy's kernels for a problem. Their parameter is the problem, or it is scheduled.
template <class Parameter, class Problem>
[[gnu::noinline]] static status enqueue_kernel(compiled_kernel const& kernel, policy_kernels<Parameter> const& kernels,
                                               Problem const& p, cudaStream_t stream, launch_plan const& plan,
                                               split_plan const& split, void* workspace) {
  auto const enqueue_with = [&](Parameter const& params) {
    return status_of_launch(kernel.name, launch(plan.better ? kernels.better : kernels.always, plan.grid,
                                                kernel.threads, plan.shared_bytes, stream, params, plan.kind));
  };
  if constexpr (std::is_same_v<Parameter, Problem>) {
    return enqueue_with(p);
  } else {
    using io = decltype(Parameter::io);
    Parameter params{.io = io_of<io>(p), .order = plan.order, .workspace = workspace};
    if (split.mode == reduction::last_arriver) {
      params.arrivals =
          reinterpret_cast<unsigned long long*>(static_cast<unsigned char*>(workspace) + split.arrivals_begin);
    }
    status result;
    if constexpr (!std::is_same_v<io, Problem>) {
      result = make_maps(kernel, params.io, plan);
    }
    return result ? enqueue_with(params) : result;
  }
}

/// Enqueues the policy's kernel for a problem that check_launch() has passed, with its split and the workspace's bytes
/// for that.
template <class Policy, class Problem>
static status enqueue(Problem p, launch_plan const& plan, cudaStream_t stream, split_plan const& split = {},
                      void* workspace = nullptr) {
  p.tiles_m = plan.order.tiles_m;
  p.tiles_n = plan.order.tiles_n;
  p.vector_c = stores_vectors(p);
  return enqueue_kernel(compiled_kernel_of<Policy, Problem>, kernels_of<Policy, Problem>(), p, stream, plan, split,
                        workspace);
}
template <class Policy, class Problem>
static status enqueue(Problem const& p, cudaStream_t stream, split_plan const& split = {}) {
  return enqueue<Policy>(p, plan_launch(compiled_kernel_of<Policy, Problem>, p, split), stream, split);
}

}  // namespace gemm::detail
