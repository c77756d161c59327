// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warpgroup's multiplications of a work, by wgmma from the stages of the ring.
//!
//! run() calls each() once for each tile, while the tensor cores multiply it, and last() when all multiplications have
//! started, before it waits for the last.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/collective/wgmma_block.cuh>

namespace gemm::detail {

/// The tiles of A and B, and which of them is wgmma's first operand: the one with 64 rows or columns for each
/// warpgroup.
template <class Policy, class Problem>
struct product_tiles {
  using a = swizzled_tile<typename Problem::element_a, Problem::storage::a, Policy::block_m, Policy::block_k>;
  using b = swizzled_tile<typename Problem::element_b, Problem::storage::b, Policy::block_n, Policy::block_k>;
  static constexpr bool swaps = Policy::swaps;
  static constexpr int stages_of_k = 1;  // of the ring, for a tile of k
  using first = std::conditional_t<swaps, b, a>;
  using second = std::conditional_t<swaps, a, b>;
  using atom = std::conditional_t<swaps, arch::wgmma_atom<typename Problem::element_b, typename Problem::element_a>,
                                  arch::wgmma_atom<typename Problem::element_a, typename Problem::element_b>>;
};

/// Gives stages back, to all blocks that load them: a lane for each. One lane for each is enough, as the wait before
/// was the whole warp's.
template <class Policy>
struct stage_release {
  static constexpr int sources = cluster_position<Policy>::sources;
  typename Policy::shared_storage& shared;
  int source;    // the block whose empty barrier this lane arrives at
  bool arrives;  // kept: asked in the loop, ptxas serializes wgmma of few rows

  __device__ stage_release(typename Policy::shared_storage& ring, cluster_position<Policy> const& rank)
      : shared(ring),
        source(rank.source(static_cast<int>(threadIdx.x) % 32)),
        arrives(static_cast<int>(threadIdx.x) % 32 < sources) {}
  __device__ void operator()(int stage) const {
    if (arrives) {
      if constexpr (sources == 1) {
        arch::mbarrier_arrive(shared.empty[stage]);
      } else {
        arch::mbarrier_arrive_in_block(shared.empty[stage], static_cast<unsigned>(source));
      }
    }
  }
};

/// The tiles of the ring's stages as a warpgroup's operands of wgmma. Of the first operand it has 64 for each of the
/// policy's pieces, or all of them; of the second as many as it has accumulators of each.
template <class Policy, class Problem>
struct stage_operands {
  using tiles = product_tiles<Policy, Problem>;
  using tile_1 = typename tiles::first;
  using tile_2 = typename tiles::second;
  using ring = typename Policy::shared_storage;
  static_assert(!Policy::splits_second || tile_2::by_k);
  static constexpr int count = Policy::accumulators / Policy::pieces;
  static constexpr int stage_a = sizeof(ring::a[0]), stage_b = sizeof(ring::b[0]), piece_bytes = 64 * 128;
  static constexpr int stage_1 = tiles::swaps ? stage_b : stage_a, stage_2 = tiles::swaps ? stage_a : stage_b;
  ring& shared;
  arch::matrix_descriptor all_1, all_2;
  stage_release<Policy> release;

  __device__ explicit stage_operands(wgmma_block<Policy, Problem> const& block)
      : shared(block.shared),
        all_1(tile_1::matrix(tiles::swaps ? shared.b[0] : shared.a[0],
                             Policy::splits_second ? 0 : block.part() * 64 * Policy::pieces)),
        all_2(tile_2::matrix(tiles::swaps ? shared.a[0] : shared.b[0],
                             Policy::splits_second ? block.part() * 2 * count : 0)),
        release(block.shared, block.rank) {}

  /// Where the tiles of a stage are.
  struct stage_tiles {
    arch::matrix_descriptor first, second;
  };

  /// Waits for a stage to be loaded.
  __device__ stage_tiles loaded(ring_position<Policy::stages> const& position) const {
    // The same for the whole warp, which the compiler must know to keep the descriptors once a warp.
    int const stage = __shfl_sync(0xffffffffU, position.stage, 0);
    stage_tiles const found{arch::advanced(all_1, stage * stage_1), arch::advanced(all_2, stage * stage_2)};
    arch::mbarrier_wait_parity(shared.full[position.stage], position.phase);
    return found;
  }

  /// Starts their multiplication as one group: added to the accumulators, or replacing them. Accumulators of a part of
  /// the second operand take its part-th.
  template <class Accum, int Pieces, int Count>
  __device__ static void multiply(stage_tiles const& stage, Accum (&accum)[Pieces][Count], bool adds, int part = 0) {
    static_assert(Count == count || tile_2::by_k);
    arch::wgmma_fence();  // the accumulators may have been read since
#pragma unroll
    for (int i = 0; i < Policy::block_k / tile_1::depth; ++i) {
#pragma unroll
      for (int piece = 0; piece < Pieces; ++piece) {
        arch::wgmma<typename tiles::atom, !tile_1::by_k, !tile_2::by_k>(
            accum[piece], arch::advanced(stage.first, piece * piece_bytes + i * tile_1::step),
            arch::advanced(stage.second, part * 2 * Count * 128 + i * tile_2::step), adds || i > 0);
      }
    }
    arch::wgmma_commit_group();
  }
};

/// All of k in the accumulators of the tensor cores. Without k they stay as they are.
template <class Policy, class Problem>
struct mma_wgmma {
  stage_operands<Policy, Problem> stages;

  __device__ explicit mma_wgmma(wgmma_block<Policy, Problem> const& block) : stages(block) {}

  template <class Order, int Pieces, int Count, class Accum, class Each, class Last>
  __device__ void run(wgmma_block<Policy, Problem> const&, Order& order, int k_tiles, Accum (&accum)[Pieces][Count],
                      Each each, Last last) {
    auto& position = order.position;
    int before = 0;
    for (int tile = 0; tile < k_tiles; ++tile) {
      stages.multiply(stages.loaded(position), accum, tile > 0);
      arch::wgmma_wait_group<1>();  // for the multiplication of the tiles before; in no branch, or ptxas serializes all
      if (tile > 0) {
        stages.release(before);
      }
      each();
      before = position.stage;
      position.advance();
    }
    last();
    arch::wgmma_wait_group<0>();
    if (k_tiles > 0) {
      stages.release(before);
    }
  }
};

}  // namespace gemm::detail
