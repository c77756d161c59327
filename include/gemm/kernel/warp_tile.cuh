// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 7, warp tile: a level between block and thread, and shared memory without bank conflicts.
//!
//!     block tile                  warp tile (2 x 2 iterations)      one iteration
//!     +--------+--------+         +--------+--------+               lanes 8 x 4, each with thread_m x thread_n
//!     | warp 0 | warp 1 |         |        |        |               neighbouring elements
//!     +--------+--------+         +--------+--------+
//!     | warp 2 | warp 3 |         |        |        |
//!     +--------+--------+         +--------+--------+
//!
//! A warp reads warp_m + warp_n different elements of shared memory for warp_m * warp_n multiply-adds. Its lanes read
//! neighbouring 16-byte pieces of a row. Rows of shared memory are padded by 4 elements, so that the transposed stores
//! have no bank conflicts either (block/chunk_map.cuh).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/store.cuh>
#include <gemm/block/tile_loader.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warp_layout.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    warp_tile_kernel(__grid_constant__ Problem const p) {
  using accum = typename Problem::accum;
  using storage = typename Problem::storage;
  using layout = warp_layout<Policy>;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int thread_m = Policy::thread_m, thread_n = Policy::thread_n;
  constexpr int width_a = Wide ? Policy::template access_width<typename Problem::element_a, storage::a> : 1;
  constexpr int width_b = Wide ? Policy::template access_width<typename Problem::element_b, storage::b> : 1;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  tile_loader<typename Problem::element_a, storage::a, major::mn, block_m, block_k, Policy::threads, width_a> a(
      operand_a(p, tile.batch), tile.row);
  tile_loader<typename Problem::element_b, storage::b, major::mn, block_n, block_k, Policy::threads, width_b> b(
      operand_b(p, tile.batch), tile.column);
  int const row = layout::row(), column = layout::column();

  accum accumulators[layout::rows][layout::columns] = {};
  for (std::int64_t k_left = p.k; k_left > 0; k_left -= block_k) {
    a.fetch(k_left);
    b.fetch(k_left);
    __syncthreads();  // the last tiles have been read
    a.commit(shared.a);
    b.commit(shared.b);
    __syncthreads();  // these tiles are complete
#pragma unroll
    for (int k = 0; k < block_k; ++k) {
      accum a_k[layout::rows], b_k[layout::columns];
      load_fragment<thread_m, layout::step_m>(a_k, &shared.a[k][row]);
      load_fragment<thread_n, layout::step_n>(b_k, &shared.b[k][column]);
      add_outer_product(accumulators, a_k, b_k);
    }
  }
  // Asked for again, instead of kept in registers through the loop.
  store_warp_tile<layout, thread_n>(p, accumulators, tile_of_block<Policy>(p), row, column);
}

}  // namespace detail

/// Warp tiles inside a block tile. Block: the tile of C and its depth; Warp: one warp's part; Thread: the neighbouring
/// elements of one thread, which has warp_m * warp_n / 32 in all.
template <class Block, class Warp, class Thread>
struct warp_tile : detail::any_operands {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int warp_m = Warp::m, warp_n = Warp::n;
  static constexpr int thread_m = Thread::m, thread_n = Thread::n;
  static constexpr int threads = detail::ratio(block_m, warp_m) * detail::ratio(block_n, warp_n) * 32;
  static constexpr int accumulators = warp_m * warp_n / 32;
  static constexpr kernel_info info{.loader = operand_loader::through_registers};

  template <class T>
  struct alignas(16) shared_storage {
    T a[block_k][block_m + 4];
    T b[block_k][block_n + 4];
  };

  template <class T>
  static constexpr bool check() {
    if constexpr (detail::legal_warp_tile<Block, Warp, Thread>()) {
      if constexpr (detail::fits_registers<T, accumulators>() && detail::legal_vectors<T, Block, Thread>()) {
        return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
      }
    }
    return false;
  }

  /// Elements of a wide access to an operand.
  template <class T, major Major>
  static constexpr int access_width = detail::loader_width<T, Major, warp_tile>;

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::warp_tile_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
