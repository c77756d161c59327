// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 8, pipelined: the warp tile with its loads taken off the critical path, at both levels of memory.
//!
//!     global -> shared      cp.async fills a ring of `stages` tiles; while tile t is multiplied, tiles t + 1 to
//!                           t + stages - 1 are on their way. One barrier a tile.
//!     shared -> registers   the fragments of step k + 1 are read while step k is multiplied.
//!
//!     tile t          | k = 0            | k = 1 | ... | k = block_k - 1
//!     multiply        | k                | k     |     | k
//!     read fragments  | k + 1            | k + 1 |     | 0 of tile t + 1, after waiting for its copies
//!     start copies    | tile t + stages-1|       |     |
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/async_tile_loader.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warp_layout.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    pipelined_kernel(__grid_constant__ Problem const p) {
  using input = typename Problem::input;
  using accum = typename Problem::accum;
  using storage = typename Problem::storage;
  using layout = warp_layout<Policy>;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int thread_m = Policy::thread_m, thread_n = Policy::thread_n;
  constexpr int stages = Policy::stages;
  constexpr int width_a = Wide ? Policy::template access_width<input, storage::a> : 1;
  constexpr int width_b = Wide ? Policy::template access_width<input, storage::b> : 1;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<input>>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  async_tile_loader<input, storage::a, block_m, block_k, Policy::threads, width_a> a(operand_a(p, tile.batch),
                                                                                     tile.row);
  async_tile_loader<input, storage::b, block_n, block_k, Policy::threads, width_b> b(operand_b(p, tile.batch),
                                                                                     tile.column);
  int const row = layout::row(), column = layout::column();

  std::int64_t k_left = p.k;  // that is yet to be copied
  auto const start_copies = [&](int stage) {
    if (k_left > 0) {
      a.start(shared.a[stage], k_left);
      b.start(shared.b[stage], k_left);
      k_left -= block_k;
    }
    arch::cp_async_commit_group();  // a group for each tile, empty ones at the end, so that counting them is enough
  };
#pragma unroll
  for (int stage = 0; stage < stages - 1; ++stage) {
    start_copies(stage);
  }
  int read = 0, write = stages - 1;  // the stages to multiply from and to fill

  input a_k[2][layout::rows], b_k[2][layout::columns];  // fragments of this step and the next
  auto const read_fragments = [&](int k) {
    load_fragment<thread_m, layout::step_m>(a_k[k % 2], &shared.a[read][k][row]);
    load_fragment<thread_n, layout::step_n>(b_k[k % 2], &shared.b[read][k][column]);
  };
  accum sum[layout::rows][layout::columns] = {};
  arch::cp_async_wait_group<stages - 2>();  // tile 0
  __syncthreads();
  read_fragments(0);
  for (std::int64_t k0 = 0; k0 < p.k; k0 += block_k) {
#pragma unroll
    for (int k = 0; k < block_k; ++k) {
      if (k == block_k - 1) {
        arch::cp_async_wait_group<stages - 2>();  // the next tile
        __syncthreads();                          // of all threads; and nobody reads this tile any more
        read = read + 1 == stages ? 0 : read + 1;
      }
      read_fragments((k + 1) % block_k);
      if (k == 0) {
        start_copies(write);
        write = write + 1 == stages ? 0 : write + 1;
      }
      add_outer_product(sum, a_k[k % 2], b_k[k % 2]);
    }
  }
  arch::cp_async_wait_group<0>();
  store_warp_tile<layout, thread_n>(p, sum, tile, row, column);
}

}  // namespace detail

/// Warp tiles fed by a ring of cp.async stages. Block: the tile of C and its depth; Warp: one warp's part; Thread: the
/// neighbouring elements of one thread; Stages: tiles of each operand in the ring.
template <class Block, class Warp, class Thread, class Stages>
struct pipelined {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int warp_m = Warp::m, warp_n = Warp::n;
  static constexpr int thread_m = Thread::m, thread_n = Thread::n;
  static constexpr int stages = Stages::count;
  static constexpr int threads = detail::ratio(block_m, warp_m) * detail::ratio(block_n, warp_n) * 32;
  static constexpr int accumulators = warp_m * warp_n / 32;

  template <class T>
  struct alignas(16) shared_storage {
    T a[stages][block_k][block_m + 4];
    T b[stages][block_k][block_n + 4];
  };

  template <class T>
  static constexpr bool check() {
    static_assert(stages >= 2, "gemm: stages must be at least 2 (one tile is multiplied while another is copied).");
    static_assert(stages < 2 || block_k % 2 == 0,
                  "gemm: block_k must be even (fragments alternate between two sets of registers). Change block.");
    if constexpr (stages >= 2 && block_k % 2 == 0 && detail::legal_warp_tile<Block, Warp, Thread>()) {
      if constexpr (detail::fits_registers<T, accumulators>() && detail::legal_vectors<T, Block, Thread>()) {
        return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
      }
    }
    return false;
  }

  /// Elements of a wide copy: k-major operands are transposed on their way, one element a copy.
  template <class T, major Major>
  static constexpr int access_width = Major == major::mn ? detail::widest<T> : 1;

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Wide>
  static auto kernel() {
    return &detail::pipelined_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
