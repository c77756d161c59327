// SPDX-License-Identifier: BSL-1.0
//! @file
//! The multiplication of a policy's kernel, chosen by name, and what it accumulates in.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/collective/mma_wgmma.cuh>
#include <gemm/collective/mma_wgmma_promoted.cuh>
#include <gemm/collective/wgmma_block.cuh>

namespace gemm::detail {

/// Whether B comes through the registers of the warpgroups.
template <class Policy, class Problem>
inline constexpr bool loads_register_operand =
    has_register_operand<Policy>&& product_tiles<Policy, Problem>::b::needs_transposing;

/// All of k, with an mn-major B of tf32 by registers (block/register_operand.cuh). Without hooks.
template <class Policy, class Problem>
struct mma_register_operand {
  stage_release<Policy> release;

  __device__ explicit mma_register_operand(wgmma_block<Policy, Problem> const& block)
      : release(block.shared, block.rank) {}

  template <class Order, int Pieces, int Count, class Accum, class Each, class Last>
  __device__ void run(wgmma_block<Policy, Problem> const& block, Order& order, int k_tiles,
                      Accum (&accum)[Pieces][Count], Each, Last) {
    multiply_register_operand<Policy, Problem>(k_tiles, block.shared, block.part(), order.position, accum, release);
  }
};

/// A thread's accumulators, for each 64 rows or columns that its warpgroup has.
template <class Policy, class Problem>
using accumulators_of =
    std::conditional_t<loads_register_operand<Policy, Problem>,
                       typename Problem::accum[register_operand_tile::pieces][Policy::block_m / 2],
                       typename Problem::accum[Policy::pieces][Policy::accumulators / Policy::pieces]>;

template <class Policy, class Problem>
using mma_of = std::conditional_t<
    loads_register_operand<Policy, Problem>, mma_register_operand<Policy, Problem>,
    std::conditional_t<(Policy::promotion > 0), mma_wgmma_promoted<Policy, Problem>, mma_wgmma<Policy, Problem>>>;

}  // namespace gemm::detail
