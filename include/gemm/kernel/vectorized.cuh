// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 6, vectorized: 128-bit accesses throughout, with A transposed into shared memory.
//!
//!     global A, row-major         shared A            A thread's thread_m elements of A for one k are neighbours in
//!     k k k k                     m m m m m m m m     shared memory: two 128-bit loads instead of eight 32-bit loads
//!     k k k k       ->            m m m m m m m m     for thread_m = 8.
//!     ...
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/chunk_map.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/store.cuh>
#include <gemm/block/tile_loader.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    vectorized_kernel(__grid_constant__ Problem const p) {
  using accum = typename Problem::accum;
  using storage = typename Problem::storage;
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
      load_fragment<thread_m, thread_m>(a_k, &shared.a[k][row]);
      load_fragment<thread_n, thread_n>(b_k, &shared.b[k][column]);
      add_outer_product(accumulators, a_k, b_k);
    }
  }
#pragma unroll
  for (int i = 0; i < thread_m; ++i) {
    store_row<thread_n>(p, accumulators[i], tile.row + row + i, tile.column + column, tile.batch);
  }
}

}  // namespace detail

/// The 2-D block tile in 128-bit accesses. Block: the tile of C and its depth; Thread: the thread's tile.
template <class Block, class Thread>
struct vectorized : detail::any_operands {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int thread_m = Thread::m, thread_n = Thread::n;
  static constexpr int threads = detail::ratio(block_m, thread_m) * detail::ratio(block_n, thread_n);
  static constexpr int accumulators = thread_m * thread_n;
  static constexpr kernel_info info{.loader = operand_loader::through_registers};

  template <class T>
  struct alignas(16) shared_storage {
    T a[block_k][block_m];
    T b[block_k][block_n];
  };

  template <class T>
  static constexpr bool check() {
    if constexpr (detail::legal_thread_tile<Block, Thread>()) {
      if constexpr (detail::fits_registers<T, accumulators>() && detail::legal_vectors<T, Block, Thread>()) {
        return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
      }
    }
    return false;
  }

  /// Elements of a wide access to an operand.
  template <class T, major Major>
  static constexpr int access_width = detail::loader_width<T, Major, vectorized>;

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::vectorized_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
