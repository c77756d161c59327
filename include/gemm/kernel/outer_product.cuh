// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rung for products with a k of a few elements, where the time is that of writing C.
//!
//!     warp   some rows of the block's tile, all of its columns
//!     lane   one column of each 32: a store of the warp is 128 neighbouring bytes of a row of C, wherever rows begin
//!
//! All of k is copied at once and multiplied step by step, one outer product after the other. Other blocks hide the
//! latency of the copies: they are many and small, and some always store.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/async_tile_loader.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// A warp's rows of the block's tile, and its lanes' columns.
template <class Policy>
struct outer_layout {
  static constexpr int block_m = Policy::block_m, block_n = Policy::block_n;
  static constexpr int rows = Policy::rows, columns = Policy::columns;

  __device__ static int row(int i) { return static_cast<int>(threadIdx.x) / 32 * rows + i; }
  __device__ static int column(int j) { return static_cast<int>(threadIdx.x) % 32 + 32 * j; }
};

/// Blocks that share a multiprocessor: as many as its registers hold of accumulators, an outer product and addresses.
template <class Policy, class T>
inline constexpr int outer_blocks = [] {
  constexpr int words = static_cast<int>(sizeof(T)) / 4;
  constexpr int needed = 36 + words * (Policy::accumulators + Policy::rows + Policy::columns);
  constexpr int blocks = 65536 / ((needed + 7) / 8 * 8 * Policy::threads);
  return blocks > 1 ? blocks : 1;
}();

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, outer_blocks<Policy, typename Problem::accum>)
    outer_product_kernel(__grid_constant__ Problem const p) {
  using accum = typename Problem::accum;
  using storage = typename Problem::storage;
  using layout = outer_layout<Policy>;
  constexpr int block_k = Policy::block_k;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  arch::wait_for_dependency();  // for who writes the operands
  arch::launch_dependents();
  // Loads all of block_k, zeros after k: loops over the part that is there take longer (docs/tuning-notes.md,
  // outer_product).
  async_tile_loader<typename Problem::element_a, storage::a, Policy::block_m, block_k, Policy::threads, 1> a(
      operand_a(p, tile.batch), tile.row);
  async_tile_loader<typename Problem::element_b, storage::b, Policy::block_n, block_k, Policy::threads, 1> b(
      operand_b(p, tile.batch), tile.column);
  accum accumulators[layout::rows][layout::columns] = {};
  for (std::int64_t k0 = 0; k0 < p.k; k0 += block_k) {
    if (k0 > 0) {
      __syncthreads();  // nobody reads the last tiles any more
    }
    a.start(shared.a, p.k - k0);
    b.start(shared.b, p.k - k0);
    arch::cp_async_commit_group();
    arch::cp_async_wait_group<0>();
    __syncthreads();  // the tiles are there
    int const depth = p.k - k0 < block_k ? static_cast<int>(p.k - k0) : block_k;
#pragma unroll 2
    for (int k = 0; k < depth; ++k) {
      accum a_k[layout::rows], b_k[layout::columns];
      load_fragment<layout::rows, 0>(a_k, &shared.a[k][layout::row(0)]);
      load_fragment<1, 32>(b_k, &shared.b[k][layout::column(0)]);
      add_outer_product(accumulators, a_k, b_k);
    }
  }
  block_tile const stored = tile_of_block<Policy>(p);  // asked for again, instead of kept in registers
  if (p.beta == accum(0)) {
    store_tile_in_pieces<layout, 1, false>(p, accumulators, stored);
  } else {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int j = 0; j < layout::columns; ++j) {
        store_row<1>(p, &accumulators[i][j], stored.row + layout::row(i), stored.column + layout::column(j),
                     stored.batch);
      }
    }
  }
}

}  // namespace detail

/// For products with a k of up to block_k; longer ones it computes, too, but waits for each block_k of it. Block: the
/// tile of C and its depth; Warps: of a block, each of which has some rows of the tile.
///
/// Float and double. Operands are copied element by element: any alignment is as good as another.
template <class Block, class Warps>
struct outer_product {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int threads = 32 * Warps::count;
  static constexpr int rows = detail::ratio(block_m, Warps::count), columns = detail::ratio(block_n, 32);
  static constexpr int accumulators = rows * columns;
  static constexpr int resident = 65536 / ((36 + accumulators + rows + columns + 7) / 8 * 8 * threads);  ///< in float
  static constexpr kernel_info info{
      .loader = operand_loader::cp_async, .min_blocks = resident, .most_k = block_k, .dependent_launch = true};

  template <class T>
  struct alignas(16) shared_storage {
    T a[block_k][block_m + 4];
    T b[block_k][block_n + 4];
  };

  template <class T>
  static constexpr bool check_operands() {
    constexpr bool type = sizeof(T) >= 4;
    static_assert(
        type, "gemm: outer_product copies elements of 4 or 8 bytes, float or double. Use pipelined for other types.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr bool whole = rows > 0 && rows % 4 == 0 && columns > 0 && rows * Warps::count == block_m &&
                           columns * 32 == block_n && (block_k == 8 || block_k == 16 || block_k == 32);
    static_assert(whole,
                  "gemm: outer_product needs a block_m of 4, 8, 12, ... rows for each of warps, a block_n that is a "
                  "multiple of 32, a column for each lane, and a block_k of 8, 16 or 32. Change block or warps.");
    if constexpr (whole) {
      constexpr bool warps = detail::legal_threads(threads);
      static_assert(warps, "gemm: outer_product has 1 to 32 warps. Change warps.");
      if constexpr (warps && detail::fits_registers<T, accumulators>()) {
        return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
      }
    }
    return false;
  }

  /// Elements of a wide access to an operand; 1: this rung has none.
  template <class T, major Major>
  static constexpr int access_width = 1;

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::outer_product_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
