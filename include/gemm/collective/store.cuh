// SPDX-License-Identifier: BSL-1.0
//! @file
//! How a warpgroup's accumulators become its part of a tile of C: types, of which store_of chooses by name.
//!
//! A store is called for each whole tile, and has hooks:
//!
//!     begin      before the multiplications of a work
//!     overlap    once for each stage, while the tensor cores multiply it
//!     drain      when all multiplications have started, before the wait for the last
//!     end        before the block's memory ends
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/arch/tma_store.cuh>
#include <gemm/block/gated_store.cuh>
#include <gemm/block/overlapped_epilogue.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/transposed_store.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/collective/store_by_row.cuh>
#include <gemm/collective/store_shared.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Stores rows of C that are misaligned through the warp's shared memory, where the policy has some and C is not read.
/// Not where the epilogue takes many elements: its code is long.
template <class Policy, class Problem, class Product, class Accum, int Count, class Index>
__device__ bool store_gathered(wgmma_block<Policy, Problem> const& block, Product const& p, block_tile const& tile,
                               Accum const (&accum)[Count], Index warp) {
  if constexpr (Policy::gathers_rows && !takes_many<typename epilogue_facts_of<Problem>::rest>) {
    if (!p.vector_c && p.beta == 0) {
      store_accum_by_rows<Policy>(p, accum, tile, block.shared.lines[warp]);
      return true;
    }
  }
  return false;
}

/// From registers, or where rows are misaligned, gathered.
template <class Policy, class Problem>
struct store_direct : store_without_hooks<Policy, Problem> {
  template <class Accum, int Count>
  __device__ void operator()(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[1][Count]) {
    auto const& p = block.problem(w);
    if (store_gathered(block, p, tile, accum[0], threadIdx.x / 32)) {
      return;
    }
    store_accum<Policy>(p, accum[0], tile);
  }
};

/// The 128 columns of a warpgroup whose operand came through registers.
template <class Policy, class Problem>
struct store_register_operand : store_without_hooks<Policy, Problem> {
  template <class Accum, int Pieces, int Count>
  __device__ void operator()(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[Pieces][Count]) {
    store_register_operand_tile(block.problem(w), accum, tile,
                                tile.column + block.warpgroup * register_operand_tile::columns);
  }
};

/// What stores by TMA have in common.
template <class Policy, class Problem>
struct store_by_tma : store_without_hooks<Policy, Problem> {
  int next = 0;  // of the warp's buffers
  __device__ void end(wgmma_block<Policy, Problem> const&) { arch::bulk_wait_group_read<0>(); }
};

/// By TMA, from the warp's buffers; where TMA cannot, as store_direct.
template <class Policy, class Problem>
struct store_tma : store_by_tma<Policy, Problem> {
  template <class Accum, int Count>
  __device__ void operator()(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[1][Count]) {
    auto const& p = block.problem(w);
    if (store_gathered(block, p, tile, accum[0], threadIdx.x / 32)) {
      return;
    }
    store_staged<Policy>(block.product(w), block.shared.c[threadIdx.x / 32], this->next, accum[0], tile);
  }
};

/// The same for a warpgroup that has several times 64 rows, of all of the tile's columns or of half.
template <class Policy, class Problem>
struct store_pieces_tma : store_by_tma<Policy, Problem> {
  // The same for the whole warp, as in store_overlapped.
  int warp = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 32, 0);

  template <class Accum, int Pieces, int Count>
  __device__ void operator()(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[Pieces][Count]) {
    int const row = Policy::splits_second ? 0 : block.part() * 64 * Pieces,
              column = Policy::splits_second ? block.part() * (Policy::block_n / 2) : 0;
    store_pieces<Policy>(block.product(w), block.shared.c[warp], this->next, accum,
                         {tile.row + row, tile.column + column, tile.batch});
  }
};

/// By TMA, where the accumulators are the transpose of C's: wgmma's operands are swapped.
template <class Policy, class Problem>
struct store_transposed_tma : store_by_tma<Policy, Problem> {
  template <class Accum, int Pieces, int Count>
  __device__ void operator()(wgmma_block<Policy, Problem> const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[Pieces][Count]) {
    int const row = Policy::splits_second ? block.part() * (Policy::block_m / 2) : 0,
              column = Policy::splits_second ? 0 : block.part() * 64 * Pieces;
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece) {
      store_transposed(block.product(w), block.shared.c + block.warpgroup * 4, block.warpgroup, this->next,
                       accum[piece], {tile.row + row, tile.column + column + piece * 64, tile.batch});
    }
  }
};

/// By TMA while the next work is multiplied: the accumulators wait in registers, rounded to half as many. Where TMA
/// cannot, as store_direct, but by small code.
template <class Policy, class Problem>
struct store_overlapped : store_without_hooks<Policy, Problem> {
  using block_type = wgmma_block<Policy, Problem>;
  overlapped_boxes<warpgroup_layout<Policy>, typename Problem::output, Policy::accumulators> waiting;
  work waiting_work;  // whose product they belong to
  int next = 0;
  // The same for the whole warp, which the compiler must know to keep its buffers' addresses once a warp.
  int warp = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 32, 0);

  __device__ void overlap(block_type const& block) {
    if constexpr (looks_up_products<Problem>) {
      if (waiting.left == 0) {
        return;  // there is no work yet, or none that must be looked up
      }
    }
    waiting.store_next(block.product(waiting_work), block.shared.c[warp], next);
  }
  __device__ void drain(block_type const& block) {
#pragma unroll 1
    while (waiting.left > 0) {  // where k is short
      overlap(block);
    }
    waiting.forget();
  }
  /// Whether all of the warp's boxes lie in C, or TMA leaves out what does not.
  template <class Product>
  __device__ static bool stores_whole(Product const& product, block_tile const& tile) {
    if constexpr (is_clipped<Product>) {
      return true;
    } else {
      Problem const& p = problem_of(product);
      using layout = warpgroup_layout<Policy>;
      return tile.row + layout::warp_row() + staged_box<char>::rows <= p.m && tile.column + Policy::block_n <= p.n;
    }
  }
  template <class Accum, int Count>
  __device__ void operator()(block_type const& block, work const& w, block_tile const& tile,
                             Accum const (&accum)[1][Count]) {
    auto const& product = block.product(w);
    auto const& p = problem_of(product);
    if (product.stores && stores_whole(product, tile)) {
      waiting_work = w;
      waiting.take(p, accum[0], tile);
      return;
    }
    if (store_gathered(block, p, tile, accum[0], warp)) {
      return;
    }
    store_accum<Policy, false>(p, accum[0], tile);
  }
  __device__ void end(block_type const& block) {
    drain(block);
    arch::bulk_wait_group_read<0>();
  }
};

/// The store of a policy's kernel.
template <class Policy, class Problem, bool RegisterOperand>
using store_of = std::conditional_t<
    !Policy::is_persistent, store_shared<Policy, Problem>,
    std::conditional_t<
        stores_by_row<Problem>, store_by_row<Policy, Problem>,
        std::conditional_t<
            RegisterOperand, store_register_operand<Policy, Problem>,
            std::conditional_t<
                Policy::swaps, store_transposed_tma<Policy, Problem>,
                std::conditional_t<(Policy::pieces > 1 || Policy::alternates), store_pieces_tma<Policy, Problem>,
                                   std::conditional_t<
                                       defers_stores<Policy, Problem>, store_overlapped<Policy, Problem>,
                                       std::conditional_t<Policy::stores_by_tma, store_tma<Policy, Problem>,
                                                          store_direct<Policy, Problem>>>>>>>>;

}  // namespace gemm::detail
