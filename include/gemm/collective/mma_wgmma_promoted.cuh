// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warpgroup's multiplications of a work with promotion: float registers add what the tensor cores accumulate.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/wgmma.cuh>
#include <gemm/block/block_scales.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/collective/mma_wgmma.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Promotion as it is: without factors.
struct plain_promotion {
  static constexpr bool reads_stage = false;
  __device__ static int load_ahead(int) { return 0; }
  template <int Pieces, int Accums, int Count, class Accum>
  __device__ static void add(Accum (&accum)[Pieces][Accums], Accum const (&promoted)[Pieces][Count], int, int part) {
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece) {
#pragma unroll
      for (int i = 0; i < Count; ++i) {
        accum[piece][part * Count + i] += promoted[piece][i];
      }
    }
  }
};

/// How accumulators are promoted: as they are, or times scales of blocks.
template <class Policy, class Problem, class Order>
__device__ auto promotion_of([[maybe_unused]] wgmma_block<Policy, Problem> const& block,
                             [[maybe_unused]] Order const& order, [[maybe_unused]] int k_tiles) {
  if constexpr (stages_scales<Policy, Problem>) {
    return staged_scales<Policy, Problem>(block.shared, block.part());
  } else if constexpr (has_block_scales<Problem>) {
    work const& w = order.item(block);
    return tile_scales_of<Policy::swaps, Policy::accumulators>(block.problem(w), block.tile(w), block.part(), w.k_begin,
                                                               k_tiles);
  } else {
    return plain_promotion{};
  }
}

/// Tensor cores accumulate Policy::promotion of k, which float registers then add; or where slices are added in a
/// block, a slice of k.
///
/// Where the second operand is multiplied in parts, by wgmma of a smaller n, they share the registers of one: while a
/// warpgroup waits for a part and adds it, the other one multiplies.
///
/// How they are added says promotion_of(), whose load_ahead() comes before the wait for what add() adds. Where add()
/// reads the stage, it is given back afterwards.
template <class Policy, class Problem>
struct mma_wgmma_promoted {
  stage_operands<Policy, Problem> stages;

  __device__ explicit mma_wgmma_promoted(wgmma_block<Policy, Problem> const& block) : stages(block) {}

  template <class Order, int Pieces, int Count, class Accum, class Each, class Last>
  __device__ void run(wgmma_block<Policy, Problem> const& block, Order& order, int k_tiles,
                      Accum (&accum)[Pieces][Count], Each, Last) {
    constexpr int promoted_tiles = Policy::promotion / Policy::block_k, parts = Policy::promoted_parts;
    constexpr bool several = promoted_tiles > 1;
    schedule const& s = block.params.order;
    int const together = several && s.mode == reduction::block ? s.depth : promoted_tiles;
    auto& position = order.position;
    auto promotion = promotion_of(block, order, k_tiles);
    using promotion_type = decltype(promotion);
    Accum promoted[Pieces][Count / parts] = {};
#pragma unroll
    for (int i = 0; i < Pieces * Count; ++i) {
      accum[i / Count][i % Count] = Accum{};
    }
    for (int tile = 0, before = 0; tile < k_tiles;) {
      int const begin = tile, end = k_tiles - tile < together ? k_tiles : tile + together;
      typename stage_operands<Policy, Problem>::stage_tiles stage;
      do {
        stage = stages.loaded(position);
        stages.multiply(stage, promoted, several && tile > begin);
        if constexpr (several) {
          arch::wgmma_wait_group<1>();  // as in mma_wgmma
          if (tile > begin) {
            stages.release(before);
          }
        }
        before = position.stage;
        position.advance();
        ++tile;
      } while (several && tile < end);
      auto const factors = promotion.load_ahead(before);
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        if (part > 0) {
          stages.multiply(stage, promoted, false, part);
        }
        arch::wgmma_wait_group<0>();
        if (!promotion_type::reads_stage && part == parts - 1) {
          stages.release(before);
        }
        promotion.add(accum, promoted, factors, part);
        if (promotion_type::reads_stage && part == parts - 1) {
          stages.release(before);
        }
      }
    }
  }
};

}  // namespace gemm::detail
