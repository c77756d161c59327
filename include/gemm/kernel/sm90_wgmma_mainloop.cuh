// SPDX-License-Identifier: BSL-1.0
//! @file
//! The main loops of wgmma's kernels: a warpgroup multiplies the tiles of its ring's stages, and promotes accumulators.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/swizzled_tile.cuh>

namespace gemm::detail {

/// The tiles of A and B, and which of them is wgmma's first operand: the one with 64 rows or columns for each
/// warpgroup.
template <class Policy, class Problem>
struct product_tiles {
  using a = swizzled_tile<typename Problem::element_a, Problem::storage::a, Policy::block_m, Policy::block_k>;
  using b = swizzled_tile<typename Problem::element_b, Problem::storage::b, Policy::block_n, Policy::block_k>;
  static constexpr bool swaps = Policy::swaps;
  using first = std::conditional_t<swaps, b, a>;
  using second = std::conditional_t<swaps, a, b>;
  using atom = std::conditional_t<swaps, arch::wgmma_atom<typename Problem::element_b, typename Problem::element_a>,
                                  arch::wgmma_atom<typename Problem::element_a, typename Problem::element_b>>;
};

/// The tiles of the ring's stages as a warpgroup's operands of wgmma. Of the first operand it has 64 for each of
/// Pieces, or all of them; of the second as many as it has sums of each.
template <class Policy, class Problem, int Pieces, int Sums>
struct stage_operands {
  using of = product_tiles<Policy, Problem>;
  using tile_1 = typename of::first;
  using tile_2 = typename of::second;
  using ring = typename Policy::shared_storage;
  static_assert(!Policy::by_second || tile_2::by_k);
  static constexpr int stage_a = sizeof(ring::a[0]), stage_b = sizeof(ring::b[0]), piece_bytes = 64 * 128;
  static constexpr int stage_1 = of::swaps ? stage_b : stage_a, stage_2 = of::swaps ? stage_a : stage_b;
  arch::matrix_descriptor all_1, all_2;

  __device__ stage_operands(ring& shared, int warpgroup)
      : all_1(tile_1::matrix(of::swaps ? shared.b[0] : shared.a[0], Policy::by_second ? 0 : warpgroup * 64 * Pieces)),
        all_2(tile_2::matrix(of::swaps ? shared.a[0] : shared.b[0], Policy::by_second ? warpgroup * 2 * Sums : 0)) {}

  /// Where the tiles of a stage are.
  struct stage_tiles {
    arch::matrix_descriptor first, second;
  };

  /// Waits for a stage to be loaded.
  __device__ stage_tiles loaded(ring& shared, ring_place<Policy::stages> const& at) const {
    // The same for the whole warp, which the compiler must know to keep the descriptors once a warp.
    int const stage = __shfl_sync(0xffffffffU, at.stage, 0);
    stage_tiles const tiles{arch::advanced(all_1, stage * stage_1), arch::advanced(all_2, stage * stage_2)};
    arch::mbarrier_wait_parity(shared.full[at.stage], at.phase);
    return tiles;
  }

  /// Starts their multiplication as one group: added to the accumulators, or replacing them. Accumulators of a part of
  /// the second operand take its part-th.
  template <class Accum, int Count>
  __device__ static void multiply(stage_tiles const& tiles, Accum (&to)[Pieces][Count], bool adds, int part = 0) {
    static_assert(Count == Sums || tile_2::by_k);
    arch::wgmma_fence();  // the accumulators may have been read since
#pragma unroll
    for (int i = 0; i < Policy::block_k / tile_1::depth; ++i) {
#pragma unroll
      for (int piece = 0; piece < Pieces; ++piece) {
        arch::wgmma<typename of::atom, !tile_1::by_k, !tile_2::by_k>(
            to[piece], arch::advanced(tiles.first, piece * piece_bytes + i * tile_1::step),
            arch::advanced(tiles.second, part * 2 * Count * 128 + i * tile_2::step), adds || i > 0);
      }
    }
    arch::wgmma_commit_group();
  }
};

/// A hook of the main loops that does nothing.
struct no_hook {
  __device__ void operator()() const {}
};

/// Accumulates a warpgroup's product over so many tiles of k; without tiles the accumulators stay.
///
/// Calls read(stage) when a stage has been read, each() once for each tile, while the tensor cores multiply it, and
/// last() when all multiplications have started, before it waits for the last.
template <class Policy, class Problem, class Read, int Pieces, int Sums, class Accum, class Each, class Last>
__device__ void multiply_plain_tiles(int tiles, typename Policy::shared_storage& shared, int warpgroup,
                                     ring_place<Policy::stages>& at, Accum (&sum)[Pieces][Sums], Read read, Each each,
                                     Last last) {
  stage_operands<Policy, Problem, Pieces, Sums> const operands(shared, warpgroup);
  int before = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    operands.multiply(operands.loaded(shared, at), sum, tile > 0);
    arch::wgmma_wait_group<1>();  // for the multiplication of the tiles before; in no branch, or ptxas serializes all
    if (tile > 0) {
      read(before);
    }
    each();
    before = at.stage;
    at.advance();
  }
  last();
  arch::wgmma_wait_group<0>();
  if (tiles > 0) {
    read(before);
  }
}

/// Promotion as it is: without factors.
struct plain_promotion {
  static constexpr bool reads_stage = false;
  __device__ static int load_ahead(int) { return 0; }
  template <int Pieces, int Sums, int Count, class Accum>
  __device__ static void add(Accum (&sum)[Pieces][Sums], Accum const (&promoted)[Pieces][Count], int, int part) {
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece) {
#pragma unroll
      for (int i = 0; i < Count; ++i) {
        sum[piece][part * Count + i] += promoted[piece][i];
      }
    }
  }
};

/// The same, but tensor cores accumulate Policy::promotion of k, which float registers then add. Without tiles the
/// accumulators are 0.
///
/// Where the second operand is multiplied in parts, by wgmma of a smaller n, they share the registers of one: while a
/// warpgroup waits for a part and adds it, the other one multiplies.
///
/// How they are added says `promotion`: plain_promotion, tile_scales or staged_scales, whose load_ahead() comes before
/// the wait for what add() adds. Where add() reads the stage, it is given back afterwards.
template <class Policy, class Problem, class Read, int Pieces, int Sums, class Accum, class Promotion>
__device__ void multiply_promoted_tiles(int tiles, typename Policy::shared_storage& shared, int warpgroup,
                                        ring_place<Policy::stages>& at, Accum (&sum)[Pieces][Sums], Read read,
                                        Promotion promotion) {
  constexpr int together = Policy::promotion / Policy::block_k, parts = Policy::promoted_parts;
  stage_operands<Policy, Problem, Pieces, Sums> const operands(shared, warpgroup);
  Accum promoted[Pieces][Sums / parts] = {};
#pragma unroll
  for (int i = 0; i < Pieces * Sums; ++i) {
    sum[i / Sums][i % Sums] = Accum{};
  }
  for (int tile = 0, before = 0; tile < tiles;) {
    int const begin = tile, end = tiles - tile < together ? tiles : tile + together;
    typename stage_operands<Policy, Problem, Pieces, Sums>::stage_tiles stage;
    do {
      stage = operands.loaded(shared, at);
      operands.multiply(stage, promoted, together > 1 && tile > begin);
      if constexpr (together > 1) {
        arch::wgmma_wait_group<1>();  // as in multiply_plain_tiles()
        if (tile > begin) {
          read(before);
        }
      }
      before = at.stage;
      at.advance();
      ++tile;
    } while (together > 1 && tile < end);
    auto const factors = promotion.load_ahead(before);
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      if (part > 0) {
        operands.multiply(stage, promoted, false, part);
      }
      arch::wgmma_wait_group<0>();
      if (!Promotion::reads_stage && part == parts - 1) {
        read(before);
      }
      promotion.add(sum, promoted, factors, part);
      if (Promotion::reads_stage && part == parts - 1) {
        read(before);
      }
    }
  }
}

/// Either. Promoted accumulators have no hooks.
template <class Policy, class Problem, class Read, int Pieces, int Sums, class Accum, class Promotion = plain_promotion>
__device__ void multiply_tiles(int tiles, typename Policy::shared_storage& shared, int warpgroup,
                               ring_place<Policy::stages>& at, Accum (&sum)[Pieces][Sums], Read read,
                               [[maybe_unused]] Promotion promotion = {}) {
  if constexpr (Policy::promotion > 0) {
    multiply_promoted_tiles<Policy, Problem>(tiles, shared, warpgroup, at, sum, read, promotion);
  } else {
    multiply_plain_tiles<Policy, Problem>(tiles, shared, warpgroup, at, sum, read, no_hook{}, no_hook{});
  }
}

}  // namespace gemm::detail
