// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 8, pipelined: the warp tile with its loads taken off the critical path, at both levels of memory.
//!
//!     global -> shared      cp.async fills a ring of `stages` tiles; while tile t is multiplied, tiles t + 1 to
//!                           t + stages - 1 are in flight. One barrier a tile.
//!     shared -> registers   the fragments of step k + 1 are read while step k is multiplied.
//!
//!     tile t          | k = 0            | k = 1 | ... | k = block_k - 1
//!     multiply        | k                | k     |     | k
//!     read fragments  | k + 1            | k + 1 |     | 0 of tile t + 1, after waiting for its copies
//!     start copies    | tile t + stages-1|       |     |
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/target.cuh>
#include <gemm/block/async_tile_loader.cuh>
#include <gemm/block/chunk_map.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/gated_store.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warp_layout.cuh>
#include <gemm/block/widening_tile_loader.cuh>
#include <gemm/element.hpp>
#include <gemm/kernel/pipelined_main_loop.cuh>
#include <gemm/policy.hpp>
#include <gemm/schedule/block_works.cuh>
#include <gemm/schedule/grid_work.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm {

namespace detail {

/// Whether misaligned rows of C are gathered in shared memory and stored by neighbouring lanes, where a tile of
/// accumulators fits. Stores from registers reach four times as many sectors. Kernels of int8 have no registers left
/// for it.
template <class Policy, class Problem>
inline constexpr bool shares_tile = [] {
  using accum = typename Problem::accum;
  return copies_bytes<typename Problem::element_a> && tiles_of_promotion<Policy> == 0 &&
         shared_tile_bytes<Policy, accum> <= Policy::template shared_bytes<accum>;
}();

/// Whether a policy copies elements of a type one by one where code for sm_90a runs. Aligned operands have better
/// policies there, so one kernel fewer is compiled.
template <class Policy, class T>
inline constexpr bool copies_narrow_on_sm90a = Policy::info.options.narrow_on_sm90a ||
                                               (std::is_same_v<T, float> &&
                                                Policy::info.options.narrow_floats_on_sm90a);

template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    pipelined_kernel(__grid_constant__ scheduled<Problem> const params) {
  using input = typename Problem::element_a;
  using accum = typename Problem::accum;
  using storage = typename Problem::storage;
  using layout = warp_layout<Policy>;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, thread_n = Policy::thread_n;
  if constexpr (Wide && copies_narrow_on_sm90a<Policy, input> && arch::is_sm90a) {
    __trap();  // never launched there
    return;
  }
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_works<Policy, Problem> works(params);
  do {
    block_tile const tile = tile_in_grid<Policy>(params);
    if (!has_product(params, tile)) {
      return;  // the whole block
    }
    auto const& p = product_of(params, tile.batch);
    using loader_a = pipeline_loader<Policy, typename Problem::element_a, storage::a, block_m, Wide, a_view<Problem>>;
    using loader_b = pipeline_loader<Policy, typename Problem::element_b, storage::b, block_n, Wide>;
    if (is_known_to_be_anothers(p)) {
      return;  // the whole block
    }
    if constexpr (waits_for_refusal<Problem>) {
      arch::launch_dependents();  // which then wait for what this block waits for
    }
    arch::wait_for_dependency();  // for who writes the operands
    arch::launch_dependents();
    if (is_another_kernels(p)) {
      return;  // the whole block
    }
    if (threadIdx.x == 0) {
      // For after the main loop, instead of in registers through it.
      shared.tile = {tile.row, tile.column, batch_of(params, tile.batch)};
    }
    k_range const range = range_in_grid<Policy>(params.order, p.k);
    loader_a a(part_of(operand_a(p, batch_of(params, tile.batch)), range.first, range.depth), tile.row);
    loader_b b(part_of(operand_b(p, batch_of(params, tile.batch)), range.first, range.depth), tile.column);
    int const row = layout::row(), column = layout::column();

    accum result[layout::rows][layout::columns] = {};
    multiply_pipelined<Policy, Problem, Wide>(shared, result, a, b, range.depth);
    block_tile const stored = shared.tile;
    if (params.order.mode == reduction::workspace) {
      store_slice_in_rows<layout>(
          slice_rows<accum>(p, slices_of(params, tile.batch), slice_in_grid(params), stored, row, column), result);
      return;
    }
    accum* const tile_of_accum = &shared.a[0][0][0];
    if constexpr (waits_for_refusal<Problem>) {
      if (params.order.mode == reduction::cluster) {
        __syncthreads();  // nobody reads the tiles any more
        share_accum<layout>(result, tile_of_accum);
        store_cluster_accum<Policy, Policy::threads>(p, params.order.slices, tile_of_accum,
                                                     static_cast<int>(threadIdx.x), stored);
        return;
      }
    }
    constexpr bool has_memory = shares_tile<Policy, Problem>;
    if constexpr (stores_by_row<Problem>) {
      store_warp_tile<layout, thread_n>(p, result, stored, row, column);
    } else if (has_memory && !has_pieces<thread_n>(p)) {
      __syncthreads();  // nobody reads the tiles any more
      share_accum<layout>(result, tile_of_accum);
      __syncthreads();  // the whole tile is there
      store_shared_tile<Policy, Policy::threads>(p, tile_of_accum, static_cast<int>(threadIdx.x), stored);
    } else {
      store_warp_tile<layout, thread_n, has_memory>(p, result, stored, row, column);
    }
  } while (works.next());
}

}  // namespace detail

/// Warp tiles fed by a ring of cp.async stages. Block: the tile of C and its depth; Warp: one warp's part; Thread: the
/// neighbouring elements of one thread; Stages: tiles of each operand in the ring.
template <class Block, class Warp, class Thread, class Stages>
struct pipelined : detail::any_operands {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int warp_m = Warp::m, warp_n = Warp::n;
  static constexpr int thread_m = Thread::m, thread_n = Thread::n;
  static constexpr int stages = Stages::count;
  static constexpr int threads = detail::ratio(block_m, warp_m) * detail::ratio(block_n, warp_n) * 32;
  static constexpr int accumulators = warp_m * warp_n / 32;
  static constexpr kernel_info info{.loader = operand_loader::cp_async,
                                    .reductions = {.workspace = true},
                                    .stages = stages,
                                    .waiting_elements = (block_m + block_n) * block_k,
                                    .dependent_launch = true};

  template <class T>
  struct alignas(16) shared_storage {
    T a[stages][block_k][block_m + 4];
    T b[stages][block_k][block_n + 4];
    detail::block_tile tile;
  };

  template <class T>
  static constexpr bool check() {
    static_assert(stages >= 2, "gemm: stages must be at least 2 (one tile is multiplied while another is copied).");
    static_assert(stages < 2 || block_k % 2 == 0,
                  "gemm: block_k must be even (fragments alternate between two sets of registers). Change block.");
    if constexpr (stages >= 2 && block_k % 2 == 0 && detail::legal_warp_tile<Block, Warp, Thread>()) {
      if constexpr (detail::fits_registers<T, accumulators>() && detail::legal_vectors<T, Block, Thread>()) {
        return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
      }
    }
    return false;
  }

  /// Elements of a wide copy: k-major operands are transposed, by copies of one element.
  template <class T, major Major>
  static constexpr int access_width =
      Major == major::k&& detail::copies_bytes<T> ? 1 : detail::loader_width<T, Major, pipelined>;

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  /// Bytes for a cluster's accumulators where the tiles were.
  template <class T>
  static constexpr std::size_t accum_memory = shared_bytes<T>;

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::pipelined_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
