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
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warp_layout.cuh>
#include <gemm/block/widening_tile_loader.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>
#include <gemm/schedule/grid_work.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm {

namespace detail {

/// Whether elements are the same in shared as in global memory: cp.async copies bytes.
template <class T>
inline constexpr bool copies_bytes = std::is_same_v<T, accumulator<T>>;

/// Elements that are widened go through registers instead, one tile ahead.
template <class Policy, class T, major Major, int Outer, bool Wide>
using pipeline_loader = std::conditional_t<copies_bytes<T>,
                                           async_tile_loader<T, Major, Outer, Policy::block_k, Policy::threads,
                                                             Wide ? Policy::template access_width<T, Major> : 1>,
                                           widening_tile_loader<T, Major, Outer, Policy::block_k, Policy::threads,
                                                                Policy::template access_width<T, Major>, Wide>>;

/// Whether a tile's copies of single elements are spread over the multiplications of a step, without a branch for
/// partial tiles. For tiles of few k (docs/tuning-notes.md, pipelined); with double it spills.
template <class Policy, class T, bool Wide>
inline constexpr bool spreads_copies = copies_bytes<T> && sizeof(T) == 4 && !Wide
                                       && Policy::info.stages > 2 && Policy::block_k <= 16;

/// Whether a policy sums so many tiles of k at a time, and adds these accumulators with what each addition loses.
template <class Policy>
inline constexpr int tiles_of_promotion = Policy::info.options.tiles_per_promotion;

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
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int thread_m = Policy::thread_m, thread_n = Policy::thread_n;
  constexpr int stages = Policy::stages, ahead = copies_bytes<input> ? stages - 1 : 1;
  if constexpr (Wide && copies_narrow_on_sm90a<Policy, input> && arch::is_sm90a) {
    __trap();  // never launched there
    return;
  }
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_in_grid<Policy>(params);
  if (!has_product(params, tile)) {
    return;  // the whole block
  }
  auto const& p = product_of(params, tile.batch);
  using loader_a = pipeline_loader<Policy, typename Problem::element_a, storage::a, block_m, Wide>;
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

  constexpr bool spreads = spreads_copies<Policy, input, Wide>;
  constexpr int parts = spreads ? block_k / 2 : 1;  // in which the copies of a tile are started
  // k_left is what there is of k from the tile in question on; not more than 0 past the last tile.
  auto const start_copies = [&](int stage, std::int64_t k_left, int part, int of_parts) {
    if constexpr (spreads) {
      a.start_part(shared.a[stage], part, of_parts, k_left);
      b.start_part(shared.b[stage], part, of_parts, k_left);
      if (part + 1 == of_parts) {
        arch::cp_async_commit_group();
      }
    } else if constexpr (copies_bytes<input>) {
      if (k_left > 0) {
        a.start(shared.a[stage], k_left);
        b.start(shared.b[stage], k_left);
      }
      arch::cp_async_commit_group();  // a group for each tile, empty ones at the end, so that counting them is enough
    } else {
      b.fetch(k_left);  // B first: the compiler then makes a faster loop (docs/tuning-notes.md, pipelined)
      a.fetch(k_left);
    }
  };
  auto const finish_copies = [&](int stage, std::int64_t k_left) {  // by all threads
    if constexpr (copies_bytes<input>) {
      arch::cp_async_wait_group<ahead - 1>();
    } else {
      b.commit(shared.b[stage], k_left);
      a.commit(shared.a[stage], k_left);
    }
    __syncthreads();
  };
#pragma unroll
  for (int stage = 0; stage < ahead; ++stage) {
    start_copies(stage, range.depth - stage * block_k, 0, 1);
  }
  int read = 0, write = ahead;  // the stages to multiply from and to fill

  accum a_k[2][layout::rows], b_k[2][layout::columns];  // fragments of this step and the next
  auto const read_fragments = [&](int k) {
    load_fragment<thread_m, layout::step_m>(a_k[k % 2], &shared.a[read][k][row]);
    load_fragment<thread_n, layout::step_n>(b_k[k % 2], &shared.b[read][k][column]);
  };
  constexpr bool adds_accum = tiles_of_promotion < Policy >> 0;
  accum accumulators[layout::rows][layout::columns] = {};
  accum total[adds_accum ? layout::rows : 1][layout::columns] = {};
  int tiles_left = tiles_of_promotion<Policy>;
  finish_copies(0, range.depth);
  read_fragments(0);
  // A counter of its own: computed from k_left, or decremented after its use, ptxas spills (sm_90, tn).
  std::int64_t k_ahead = range.depth - (ahead - 1) * block_k;
  for (std::int64_t k_left = range.depth; k_left > 0; k_left -= block_k) {
    // No loop of one pass around each k, which pins sm90_simt_tma's accumulators: here it is slower
    // (docs/tuning-notes.md, pipelined).
#pragma unroll
    for (int k = 0; k < block_k; ++k) {
      if (k == block_k - 1) {
        read = read + 1 == stages ? 0 : read + 1;
        finish_copies(read, k_left - block_k);  // and nobody reads the last tile any more
      }
      read_fragments((k + 1) % block_k);
      if (k == 0) {
        k_ahead -= block_k;
      }
      if (k < parts) {
        start_copies(write, k_ahead, k, parts);
      }
      if (k == parts - 1) {
        write = write + 1 == stages ? 0 : write + 1;
      }
      add_outer_product(accumulators, a_k[k % 2], b_k[k % 2]);
    }
    if constexpr (adds_accum) {
      if (--tiles_left == 0 || k_left <= block_k) {
        tiles_left = tiles_of_promotion<Policy>;
#pragma unroll
        for (int i = 0; i < layout::rows; ++i) {
          add_compensated<true>(accumulators[i], total[i]);
          if (k_left > block_k) {
            carry_nonfinite(accumulators[i], total[i]);
          }
        }
      }
    }
  }
  if constexpr (copies_bytes<input>) {
    arch::cp_async_wait_group<0>();
  }
  block_tile const stored = shared.tile;
  auto const& result = [&]() -> auto const& {
    if constexpr (adds_accum) {
      return total;
    } else {
      return accumulators;
    }
  }
  ();
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
      store_cluster_accum<Policy, Policy::threads>(p, params.order.slices, tile_of_accum, static_cast<int>(threadIdx.x),
                                                   stored);
      return;
    }
  }
  constexpr bool has_memory = shares_tile<Policy, Problem>;
  if (has_memory && !has_pieces<thread_n>(p)) {
    __syncthreads();  // nobody reads the tiles any more
    share_accum<layout>(result, tile_of_accum);
    __syncthreads();  // the whole tile is there
    store_shared_tile<Policy, Policy::threads>(p, tile_of_accum, static_cast<int>(threadIdx.x), stored);
  } else {
    store_warp_tile<layout, thread_n, has_memory>(p, result, stored, row, column);
  }
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
