// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 5, 2-D block tile: each thread computes thread_m x thread_n elements of C as a sum of outer products.
//!
//!               b[0..thread_n)       For each k a thread reads thread_m + thread_n elements of shared memory into
//!             +----------------      registers and does thread_m * thread_n multiply-adds with them: 1/4 of an
//!     a[0]    | accum[0][0]  ...     access a multiply-add for 8 x 8, against 9/8 in the 1-D tile.
//!     ...     |   ...
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
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    block_tile_2d_kernel(__grid_constant__ Problem const p) {
  using storage = typename Problem::storage;
  using accum = typename Problem::accum;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int thread_m = Policy::thread_m, thread_n = Policy::thread_n;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  tile_loader<typename Problem::element_a, storage::a, major::k, block_m, block_k, Policy::threads, 1> a(
      operand_a(p, tile.batch), tile.row);
  tile_loader<typename Problem::element_b, storage::b, major::mn, block_n, block_k, Policy::threads, 1> b(
      operand_b(p, tile.batch), tile.column);
  constexpr int threads_n = block_n / thread_n;
  int const row = threadIdx.x / threads_n * thread_m, column = threadIdx.x % threads_n * thread_n;

  accum accumulators[thread_m][thread_n] = {};
  for (std::int64_t k_left = p.k; k_left > 0; k_left -= block_k) {
    a.fetch(k_left);
    b.fetch(k_left);
    __syncthreads();  // the last tiles have been read
    a.commit(shared.a);
    b.commit(shared.b);
    __syncthreads();  // these tiles are complete
#pragma unroll
    for (int k = 0; k < block_k; ++k) {
      accum a_k[thread_m], b_k[thread_n];
#pragma unroll
      for (int i = 0; i < thread_m; ++i) {
        a_k[i] = shared.a[row + i][k];
      }
#pragma unroll
      for (int j = 0; j < thread_n; ++j) {
        b_k[j] = shared.b[k][column + j];
      }
      add_outer_product(accumulators, a_k, b_k);
    }
  }
  // Asked for again, instead of kept in registers through the loop.
  block_tile const target = tile_of_block<Policy>(p);
#pragma unroll
  for (int i = 0; i < thread_m; ++i) {
    store_row<thread_n>(p, accumulators[i], target.row + row + i, target.column + column, target.batch);
  }
}

}  // namespace detail

/// A tile of thread_m x thread_n elements of C per thread. Block: the tile of C and its depth; Thread: the thread's
/// tile.
template <class Block, class Thread>
struct block_tile_2d : detail::any_operands {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int thread_m = Thread::m, thread_n = Thread::n;
  static constexpr int threads = detail::ratio(block_m, thread_m) * detail::ratio(block_n, thread_n);
  static constexpr int accumulators = thread_m * thread_n;
  static constexpr kernel_info info{.loader = operand_loader::through_registers};

  template <class T>
  struct shared_storage {
    T a[block_m][block_k];
    T b[block_k][block_n];
  };

  template <class T>
  static constexpr bool check() {
    if constexpr (detail::legal_thread_tile<Block, Thread>()) {
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
    return &detail::block_tile_2d_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
