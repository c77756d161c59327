// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a problem to a launch: access width, grid, shared memory, errors.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <gemm/block/k_slice.cuh>
#include <gemm/block/panel_packing.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/stream_slices.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/host/compiled_code.cuh>
#include <gemm/host/device.hpp>
#include <gemm/host/launch_kernel.cuh>
#include <gemm/host/launch_rules.hpp>
#include <gemm/host/one_wave.hpp>
#include <gemm/host/persistent_launch.cuh>
#include <gemm/host/row_classes.cuh>
#include <gemm/host/tensor_map.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/small.cuh>
#include <gemm/kernel/tensor_core.cuh>
#include <gemm/kernel/tensor_core_ping_pong.cuh>
#include <gemm/kernel/warp_specialized.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// Whether all lines of a matrix may be accessed in pieces of Width elements, in every product of the batch.
template <int Width, class T>
bool allows_vectors(T const* data, std::int64_t ld, std::int64_t batch_stride) {
  return reinterpret_cast<std::uintptr_t>(data) % (Width * sizeof(T)) == 0 && ld % Width == 0 &&
         batch_stride % Width == 0;
}

template <class Policy, class Problem>
launch_facts facts_of_launch(Problem const& p) {
  constexpr std::string_view policy = splits_in_cluster<Problem> ? "cluster_split_k"
                                      : uses_tma<Policy>         ? name<Policy>()
                                                                 : std::string_view{};
  return {p.m,
          p.n,
          p.batch_count,
          Policy::block_m,
          Policy::block_n,
          Policy::template shared_bytes<typename Problem::accum>,
          policy};
}

template <class Policy, class Problem>
status check_launch(Problem const& p) {
  return check_launch(facts_of_launch<Policy>(p));
}

inline constexpr std::int64_t most_of_grid_y = 65535;

/// The batch goes over y, and z where y ends; where they hold more than there is, the last blocks return at once.
template <class Problem>
dim3 grid_of(Problem const& p) {
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  std::int64_t const z = tiles(p.batch_count, most_of_grid_y), y = tiles(p.batch_count, z);
  return dim3(blocks, static_cast<unsigned>(y), static_cast<unsigned>(z));
}

template <class In, class Out, class Storage>
dim3 grid_of(problem<In, Out, Storage, k_slices> const& p) {
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  return dim3(blocks, static_cast<unsigned>(p.batch_count / p.epilogue.count), static_cast<unsigned>(p.epilogue.count));
}

template <class Problem>
dim3 grid_of(cluster_problem<Problem> const& p) {
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  return dim3(blocks, static_cast<unsigned>(p.batch_count), static_cast<unsigned>(p.slices));
}

template <class Problem>
dim3 grid_of(stream_problem<Problem> const& p) {
  return dim3(static_cast<unsigned>(p.whole_tiles) +
              static_cast<unsigned>(p.cut_tiles) * static_cast<unsigned>(p.slices));
}

/// Blocks that are launched as a cluster.
template <class Policy, class Problem>
int cluster_of(Problem const& p) {
  if constexpr (splits_in_cluster<Problem>) {
    return p.slices;
  } else {
    return blocks_along_m<Policy> * blocks_along_n<Policy>;
  }
}

[[gnu::cold]] inline status not_launched(std::string_view what, cudaError_t error) {
  static_cast<void>(cudaGetLastError());  // reported here: must not surface in the caller's next check
  return {status_code::cuda_failure,     error,       "%.*s was not launched: %s",
          static_cast<int>(what.size()), what.data(), cudaGetErrorString(error)};
}

/// Threads of a block: of tensor_core fewer where each has one tile.
template <class Policy, class Problem>
inline constexpr int threads_of = [] {
  if constexpr (requires { Policy::tile_threads; }) {
    return splits_in_cluster<Problem> ? Policy::tile_threads : Policy::threads;
  } else {
    return Policy::threads;
  }
}();

/// Enqueues a kernel that is given tensor maps, or what it does without where TMA cannot load an operand. A repacked
/// policy's is always the former: TMA can load its operands, or there is no k and nothing to load. It starts while the
/// kernel before ends, whatever that is, and waits for it by itself.
template <class Policy, class Problem>
status enqueue_with_maps(Problem const& p, cudaStream_t stream, panel_packing<typename Problem::input> const& packing) {
  tma_problem<Problem> x{.a = {}, .b = {}, .problem = p};
  using own = direct<Policy>;
  auto kernel = own::template kernel<own, Problem, repacks<Policy>>();
  dim3 grid = grid_of(p);
  std::size_t shared_bytes = Policy::template shared_bytes<typename Problem::accum>;
  bool by_tma = repacks<Policy>;
  row_class_maps rows{};
  if constexpr (takes_operands<Policy, Problem>) {
    if (p.row_classes > 0 || loads_by_tma<Policy>(p)) {
      by_tma = true;
      kernel = own::template kernel<own, Problem, true>();
      x.problem.k = summed_k(p);
      status result = p.row_classes > 0 ? encode_row_classes<Policy>(x.a, rows, p)
                                        : encode_tensor_map(x.a, matrices_of_a<Policy>(p));
      result = result ? encode_tensor_map(x.b, matrices_of_b<Policy>(p)) : result;
      if constexpr (has_edges<Problem> && takes_any_storage<Policy> && !is_slim<Policy>) {
        result = result ? encode_edges<Policy>(x) : result;
      }
      if (!result) {
        return result;
      }
    }
  }
  if constexpr (is_persistent<Policy> && !splits_in_cluster<Problem>) {
    if (by_tma) {
      if (status const result = shape_persistent<Policy>(p, grid, shared_bytes); !result) {
        return result;
      }
    }
  }
  if constexpr (splits_in_cluster<Problem> && !takes_any_storage<Policy>) {
    // Or some share a multiprocessor while others have none (H200, over and over, in 64 x 64 tiles: 160x600x2048 in
    // fours 22.6 us, 18.3 so, 416x304x3904 in threes 48.4, 36.8 so).
    int multiprocessors = 0;  // stays so where it cannot be found out: then none are kept apart
    static_cast<void>(device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount));
    double const blocks = static_cast<double>(grid.x) * grid.y * grid.z;
    shared_bytes =
        std::max(shared_bytes, spread_bytes(blocks_each(blocks, p.slices, resident<own, Problem>, multiprocessors)));
  }
  auto const launched = [&](auto const& parameter) {
    cudaError_t const error = launch(kernel, grid, threads_of<Policy, Problem>, shared_bytes, stream, parameter,
                                     {.cluster = cluster_of<Policy>(p), .dependent = true});
    return error == cudaSuccess ? status{} : not_launched(name<Policy>(), error);
  };
  if constexpr (stores_by_tma<Policy> && !splits_in_cluster<Problem>) {
    tma_store_problem<Problem> with_c{.loads = x, .c = {}, .stores = p.beta == 0 && tma_can_store(p)};
    status const result = with_c.stores ? encode_tensor_map(with_c.c, matrices_of_c(p)) : status{};
    return result ? launched(with_c) : result;
  } else if constexpr (takes_any_storage<Policy>) {
    return launched(x);
  } else {
    return launched(panel_problem<Problem>{x, packing, rows});
  }
}

/// Elements of a wide access to A and to B: 1 where a policy says that it accesses one of them by element anyway.
template <class Policy, class T, major Major>
inline constexpr int wide_access_a = [] {
  if constexpr (requires { requires !Policy::wide_a; }) {
    return 1;
  } else {
    return Policy::template access_width<T, Major>;
  }
}();
template <class Policy, class T, major Major>
inline constexpr int wide_access_b = [] {
  if constexpr (requires { requires !Policy::wide_b; }) {
    return 1;
  } else {
    return Policy::template access_width<T, Major>;
  }
}();

/// Whether the policy's kernel reads A and B in wide accesses, as far as it ever does. Decided once for the launch: one
/// misaligned operand costs the other its wide accesses, too.
template <class Policy, class Problem>
bool reads_wide(Problem const& p) {
  using input = typename Problem::input;
  using storage = typename Problem::storage;
  return (!copies_narrow_on_sm90a<Policy, input> || !has_sm90a_code()) &&
         allows_vectors<wide_access_a<Policy, input, storage::a>>(p.a, p.lda, p.batch_stride_a) &&
         allows_vectors<wide_access_b<Policy, input, storage::b>>(p.b, p.ldb, p.batch_stride_b);
}

/// Enqueues the policy's kernel for a problem that check_launch() has passed. `end_tile_n`: for tiles of the columns
/// before it, all where it is 0. `packing`: what its kernel packs meanwhile.
template <class Policy, class Problem>
status enqueue(Problem p, cudaStream_t stream, int end_tile_n = 0,
               panel_packing<typename Problem::input> const& packing = {}) {
  constexpr int tile_n = Policy::block_n * blocks_along_n<Policy>;
  p.tiles_m = static_cast<int>(tiles_along_m<Policy>(p));
  p.tiles_n = (end_tile_n > 0 ? end_tile_n : static_cast<int>(tiles(p.n, tile_n))) - first_tile_n(p);
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c, p.ldc, p.batch_stride_c);
  if constexpr (uses_tma<Policy>) {
    return enqueue_with_maps<Policy>(p, stream, packing);
  } else {
    using input = typename Problem::input;
    using storage = typename Problem::storage;
    auto kernel = Policy::template kernel<Policy, Problem, false>();
    if constexpr (wide_access_a < Policy, input, storage::a >> 1 || wide_access_b < Policy, input, storage::b >> 1) {
      if (reads_wide<Policy>(p)) {
        kernel = Policy::template kernel<Policy, Problem, true>();
      }
    }
    Problem in_blocks = p;  // of which each may compute several products of the batch
    in_blocks.batch_count = tiles(p.batch_count, batch_per_block<Policy>);
    dim3 const grid = grid_of(in_blocks);
    int multiprocessors = 0;  // stays so where it cannot be found out: then none come early
    static_cast<void>(device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount));
    double const blocks = static_cast<double>(grid.x) * grid.y * grid.z;
    int const cluster = cluster_of<Policy>(p);
    int const each = waits<Policy> && launches_dependents()
                         ? blocks_each(blocks, cluster, resident<Policy, Problem>, multiprocessors)
                         : 0;
    std::size_t const shared_bytes =
        std::max(Policy::template shared_bytes<typename Problem::accum>, spread_bytes(each));
    bool const early = launches_dependents() && waits<Policy>;
    cudaError_t const error =
        launch(kernel, grid, Policy::threads, shared_bytes, stream, p, {.cluster = cluster, .dependent = early});
    return error == cudaSuccess ? status{} : not_launched(name<Policy>(), error);
  }
}

}  // namespace gemm::detail
