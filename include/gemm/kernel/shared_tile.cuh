// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 3, shared tile: the block's threads fetch tiles of A and B together and reuse them from shared memory.
//!
//! Each element of A is read from global memory once per block instead of once per thread: n / block_n times instead of
//! n times. So is B. A thread still computes one element of C, and reads two elements of shared memory for each
//! multiply-add.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/store.cuh>
#include <gemm/block/thread_per_element.cuh>
#include <gemm/block/tile_loader.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    shared_tile_kernel(__grid_constant__ Problem const p) {
  using accum = typename Problem::accum;
  using storage = typename Problem::storage;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  tile_loader<typename Problem::element_a, storage::a, major::k, block_m, block_k, Policy::threads, 1> a(
      operand_a(p, tile.batch), tile.row);
  tile_loader<typename Problem::element_b, storage::b, major::mn, block_n, block_k, Policy::threads, 1> b(
      operand_b(p, tile.batch), tile.column);
  int const row = threadIdx.x / block_n, column = threadIdx.x % block_n;

  accum accumulators{};
  for (std::int64_t k_left = p.k; k_left > 0; k_left -= block_k) {
    a.fetch(k_left);
    b.fetch(k_left);
    __syncthreads();  // the last tiles have been read
    a.commit(shared.a);
    b.commit(shared.b);
    __syncthreads();  // these tiles are complete
#pragma unroll
    for (int k = 0; k < block_k; ++k) {
      accumulators = multiply_add(shared.a[row][k], shared.b[k][column], accumulators);
    }
  }
  store_row<1>(p, &accumulators, tile.row + row, tile.column + column, tile.batch);
}

}  // namespace detail

/// One thread per element of C, operands through shared memory. Block: the elements of one thread block and the depth
/// of a tile.
template <class Block>
struct shared_tile : detail::thread_per_element<Block> {
  static constexpr kernel_info info{.loader = operand_loader::through_registers};

  using detail::thread_per_element<Block>::block_m, detail::thread_per_element<Block>::block_n,
      detail::thread_per_element<Block>::block_k;

  template <class T>
  struct shared_storage {
    T a[block_m][block_k];
    T b[block_k][block_n];
  };

  template <class T>
  static constexpr bool check() {
    static_assert(block_k > 0, "gemm: block_k must be at least 1. Change block.");
    if constexpr (block_k > 0 && detail::thread_per_element<Block>::template check<T>()) {
      return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
    }
    return false;
  }

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::shared_tile_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
