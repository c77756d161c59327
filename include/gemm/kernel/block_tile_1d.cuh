// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 4, 1-D block tile: each thread computes thread_m elements of one column of C.
//!
//! One element of B, once in a register, serves thread_m multiply-adds. So shared memory is read (1 + 1 / thread_m)
//! times a multiply-add instead of twice. The tile of C may have more elements than the block threads.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/store.cuh>
#include <gemm/block/tile_loader.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    block_tile_1d_kernel(__grid_constant__ Problem const p) {
  using storage = typename Problem::storage;
  using accum = typename Problem::accum;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int thread_m = Policy::thread_m;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  tile_loader<typename Problem::element_a, storage::a, major::k, block_m, block_k, Policy::threads, 1> a(
      operand_a(p, tile.batch), tile.row);
  tile_loader<typename Problem::element_b, storage::b, major::mn, block_n, block_k, Policy::threads, 1> b(
      operand_b(p, tile.batch), tile.column);
  int const row = threadIdx.x / block_n * thread_m, column = threadIdx.x % block_n;

  accum accumulators[thread_m] = {};
  for (std::int64_t k_left = p.k; k_left > 0; k_left -= block_k) {
    a.fetch(k_left);
    b.fetch(k_left);
    __syncthreads();  // the last tiles have been read
    a.commit(shared.a);
    b.commit(shared.b);
    __syncthreads();                // these tiles are complete
#pragma unroll(16 / sizeof(accum))  // one 128-bit access of A; all of block_k at once would spill
    for (int k = 0; k < block_k; ++k) {
      accum const b_k = shared.b[k][column];
#pragma unroll
      for (int i = 0; i < thread_m; ++i) {
        accumulators[i] = multiply_add(shared.a[row + i][k], b_k, accumulators[i]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < thread_m; ++i) {
    store_row<1>(p, &accumulators[i], tile.row + row + i, tile.column + column, tile.batch);
  }
}

}  // namespace detail

/// A column of thread_m elements of C per thread. Block: the tile of C and its depth; Thread: thread<thread_m>.
template <class Block, class Thread>
struct block_tile_1d : detail::any_operands {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int thread_m = Thread::m;
  static constexpr int threads = detail::ratio(block_m, thread_m) * block_n;
  static constexpr int accumulators = thread_m;
  static constexpr kernel_info info{.loader = operand_loader::through_registers};

  template <class T>
  struct shared_storage {
    T a[block_m][block_k];
    T b[block_k][block_n];
  };

  template <class T>
  static constexpr bool check() {
    static_assert(Thread::n == 1, "gemm: thread_n must be 1 (a thread owns part of one column). Change thread.");
    if constexpr (Thread::n == 1 && detail::legal_thread_tile<Block, Thread>()) {
      if constexpr (detail::fits_registers<T, accumulators>()) {
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
    return &detail::block_tile_1d_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
