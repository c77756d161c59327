// SPDX-License-Identifier: BSL-1.0
//! @file
//! The consumers of rung 11: a warpgroup multiplies and stores its part of all of the block's works.
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/block_scales.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/collective/order.cuh>
#include <gemm/collective/reduce.cuh>
#include <gemm/collective/store.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/kernel/sm90_wgmma_mainloop.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Whether B comes through the registers of the warpgroups.
template <class Policy, class Problem>
inline constexpr bool loads_register_operand =
    has_register_operand<Policy>&& product_tiles<Policy, Problem>::b::needs_transposing;

/// A warpgroup multiplies its part of a work. The hooks of order and store are called meanwhile.
template <class Policy, class Problem, class Order, class Read, class Store, int Pieces, int Count>
__device__ void multiply_work(wgmma_block<Policy, Problem> const& block, int k_tiles, Order& order,
                              typename Problem::accum (&accum)[Pieces][Count], Read read, Store& store) {
  auto& shared = block.shared;
  auto& at = order.position;
  int const warpgroup = block.part();
  if constexpr (loads_register_operand<Policy, Problem>) {
    multiply_register_operand<Policy, Problem>(k_tiles, shared, warpgroup, at, accum, read);
  } else if constexpr (stages_scales<Policy, Problem>) {
    multiply_promoted_tiles<Policy, Problem>(k_tiles, shared, warpgroup, at, accum, read,
                                             staged_scales<Policy, Problem>(shared, warpgroup));
  } else if constexpr (has_block_scales<Problem>) {
    work const& w = order.item(block);
    multiply_promoted_tiles<Policy, Problem>(k_tiles, shared, warpgroup, at, accum, read,
                                             tile_scales_of<Policy::swaps, Policy::accumulators>(
                                                 block.problem(), block.tile(w), warpgroup, w.k_begin, k_tiles));
  } else if constexpr (Policy::promotion > 0) {
    multiply_promoted_tiles<Policy, Problem>(k_tiles, shared, warpgroup, at, accum, read, plain_promotion{});
  } else {
    auto const last = [&] {
      order.pass(block);
      store.drain(block);
    };
    multiply_plain_tiles<Policy, Problem>(
        k_tiles, shared, warpgroup, at, accum, read, [&] { store.overlap(block); }, last);
  }
}

/// A warpgroup multiplies, reduces and stores its part of all of the block's works.
template <class Policy, class Problem>
__device__ void consume_tiles(wgmma_block<Policy, Problem> const& block) {
  constexpr bool register_operand = loads_register_operand<Policy, Problem>;
  constexpr int pieces = register_operand ? register_operand_tile::pieces : Policy::pieces,
                count = register_operand ? Policy::block_m / 2 : Policy::accumulators / Policy::pieces;
  int const source =
      block.place.source(static_cast<int>(threadIdx.x) % 32);  // whose empty barrier this lane arrives at
  auto const read = [&](int stage) { give_back<Policy>(block.shared.empty[stage], source); };
  order_of<Policy, Problem> order(block);
  store_of<Policy, Problem, register_operand> store;
  typename Problem::accum accum[pieces][count] = {};
#pragma unroll 1
  for (int k_tiles = 0; (k_tiles = order.wait(block)) >= 0;) {
    multiply_work<Policy, Problem>(block, k_tiles, order, accum, read, store);
    work const w = order.take(block);
    block_tile const tile = block.tile(w);
    if (reduce(block, w, tile, accum)) {
      store(block, tile, accum);
    }
  }
  store.end(block);
}

}  // namespace gemm::detail
