// SPDX-License-Identifier: BSL-1.0
//! @file
//! The main loop of pipelined, its loaders, and what they do with elements that are widened.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/cp_async.cuh>
#include <gemm/block/async_tile_loader.cuh>
#include <gemm/block/chunk_map.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warp_layout.cuh>
#include <gemm/block/widening_tile_loader.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Whether elements are the same in shared as in global memory: cp.async copies bytes.
template <class T>
inline constexpr bool copies_bytes = std::is_same_v<T, accumulator<T>>;

/// Elements that are widened go through registers instead, one tile ahead.
template <class Policy, class T, major Major, int Outer, bool Wide, class View = operand_view<T, Major>>
using pipeline_loader = std::conditional_t<copies_bytes<T>,
                                           async_tile_loader<T, Major, Outer, Policy::block_k, Policy::threads,
                                                             Wide ? Policy::template access_width<T, Major> : 1, View>,
                                           widening_tile_loader<T, Major, Outer, Policy::block_k, Policy::threads,
                                                                Policy::template access_width<T, Major>, Wide, View>>;

/// Whether a tile's copies of single elements are spread over the multiplications of a step, without a branch for
/// partial tiles. For products of a short k (docs/tuning-notes.md, pipelined); with double it spills.
template <class Policy, class T, bool Wide>
inline constexpr bool spreads_copies = copies_bytes<T> && sizeof(T) == 4 && !Wide
                                       && Policy::info.stages > 2 && Policy::block_k <= 16;

/// The first of two, or the second.
template <bool First, class A, class B>
__device__ auto& first_if(A& a, B& b) {
  if constexpr (First) {
    return a;
  } else {
    return b;
  }
}

/// Whether a policy sums so many tiles of k at a time, and adds these accumulators with what each addition loses.
template <class Policy>
inline constexpr int tiles_of_promotion = Policy::info.options.tiles_per_promotion;

/// Adds accumulators of some tiles of k to the total, with what each addition loses. `last`: none come after them.
template <class Accum, int Rows, int Columns>
__device__ __forceinline__ void promote_accum(Accum (&accumulators)[Rows][Columns], Accum (&total)[Rows][Columns],
                                              bool last) {
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
    add_compensated<true>(accumulators[i], total[i]);
    if (!last) {
      carry_nonfinite(accumulators[i], total[i]);
    }
  }
}

/// How the copies of a tile are started: k_left is what there is of k from the tile on, not more than 0 past the last
/// one.
template <class Policy, class Problem, bool Wide, class Shared, class LoaderA, class LoaderB>
__device__ __forceinline__ void start_tile_copies(Shared& shared, LoaderA& a, LoaderB& b, int stage,
                                                  std::int64_t k_left, int part, int parts) {
  using input = typename Problem::element_a;
  if constexpr (spreads_copies<Policy, input, Wide> && !gathering<Problem>) {
    a.start_part(shared.a[stage], part, parts, k_left);
    b.start_part(shared.b[stage], part, parts, k_left);
    if (part + 1 == parts) {
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
}

/// total += the product of the block's tiles of k, from where the loaders are on: `depth` of k. By all threads. No
/// copies are in flight afterwards; who writes to the tiles' memory must wait for all threads first.
template <class Policy, class Problem, bool Wide, class Accum, int Rows, int Columns, class LoaderA, class LoaderB>
__device__ __forceinline__ void multiply_pipelined(typename Policy::template shared_storage<Accum>& shared,
                                                   Accum (&total)[Rows][Columns], LoaderA& a, LoaderB& b,
                                                   std::int64_t depth) {
  using input = typename Problem::element_a;
  using accum = Accum;
  using layout = warp_layout<Policy>;
  constexpr int block_k = Policy::block_k, thread_m = Policy::thread_m, thread_n = Policy::thread_n;
  constexpr int stages = Policy::stages, ahead = copies_bytes<input> ? stages - 1 : 1;
  static_assert(Rows == layout::rows && Columns == layout::columns);
  int const row = layout::row(), column = layout::column();

  constexpr bool spreads = spreads_copies<Policy, input, Wide> && !gathering<Problem>;
  constexpr int parts = spreads ? block_k / 2 : 1;  // in which the copies of a tile are started
  auto const start_copies = [&](int stage, std::int64_t k_left, int part, int of_parts) {
    start_tile_copies<Policy, Problem, Wide>(shared, a, b, stage, k_left, part, of_parts);
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
    start_copies(stage, depth - stage * block_k, 0, 1);
  }
  int read = 0, write = ahead;  // the stages to multiply from and to fill

  accum a_k[2][layout::rows], b_k[2][layout::columns];  // fragments of this step and the next
  auto const read_fragments = [&](int k) {
    load_fragment<thread_m, layout::step_m>(a_k[k % 2], &shared.a[read][k][row]);
    load_fragment<thread_n, layout::step_n>(b_k[k % 2], &shared.b[read][k][column]);
  };
  constexpr bool adds_accum = tiles_of_promotion < Policy >> 0;
  accum of_tiles[adds_accum ? layout::rows : 1][layout::columns] = {};
  auto& accumulators = first_if<adds_accum>(of_tiles, total);
  int tiles_left = tiles_of_promotion<Policy>;
  finish_copies(0, depth);
  read_fragments(0);
  // A counter of its own: computed from k_left, or decremented after its use, ptxas spills (sm_90, tn).
  std::int64_t k_ahead = depth - (ahead - 1) * block_k;
  for (std::int64_t k_left = depth; k_left > 0; k_left -= block_k) {
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
        promote_accum(accumulators, total, k_left <= block_k);
      }
    }
  }
  if constexpr (copies_bytes<input>) {
    arch::cp_async_wait_group<0>();
  }
}

}  // namespace gemm::detail
