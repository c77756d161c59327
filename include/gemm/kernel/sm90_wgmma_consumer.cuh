// SPDX-License-Identifier: BSL-1.0
//! @file
//! The consumers of rung 11: a warpgroup multiplies and stores its part of all of the block's works.
#pragma once

#include <cuda_runtime.h>

#include <gemm/block/problem.cuh>
#include <gemm/collective/mma.cuh>
#include <gemm/collective/order.cuh>
#include <gemm/collective/reduce.cuh>
#include <gemm/collective/store.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// A warpgroup multiplies, reduces and stores its part of the works that its order gives it.
template <class Policy, class Problem>
__device__ void consume(wgmma_block<Policy, Problem> const& block) {
  mma_of<Policy, Problem> mma(block);
  order_of<Policy, Problem> order(block);
  store_of<Policy, Problem, loads_register_operand<Policy, Problem>> store;
  auto const each = [&] { store.overlap(block); };
  auto const last = [&] {
    order.pass(block);
    store.drain(block);
  };
  accumulators_of<Policy, Problem> accum = {};
#pragma unroll 1
  for (int k_tiles = 0; (k_tiles = order.wait(block)) >= 0;) {
    mma.run(block, order, k_tiles, accum, each, last);
    work const w = order.take(block);
    block_tile const tile = block.tile(w);
    if (reduce(block, w, tile, accum)) {
      store(block, tile, accum);
    }
  }
  store.end(block);
}

}  // namespace gemm::detail
