// SPDX-License-Identifier: BSL-1.0
//! @file
//! fp8 with scales of blocks on any GPU: one thread per element of C, each 128 of k summed and then scaled.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arithmetic.hpp>
#include <gemm/block/block_scales.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/thread_per_element.cuh>
#include <gemm/element.hpp>
#include <gemm/input_types.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads) block_scaled_kernel(__grid_constant__ Problem const p) {
  block_tile const tile = tile_of_block<Policy>(p);
  std::int64_t const row = tile.row + threadIdx.x / Policy::block_n,
                     column = tile.column + threadIdx.x % Policy::block_n;
  if (row >= p.m || column >= p.n || tile.batch >= p.batch_count) {
    return;
  }
  auto const a = operand_a(p, tile.batch);
  auto const b = operand_b(p, tile.batch);
  auto const scales_a = block_scales_of_a<std::int64_t>(p, tile.batch);
  auto const scales_b = block_scales_of_b<std::int64_t>(p, tile.batch);
  float accum = 0;
  for (std::int64_t first = 0, block = 0; first < p.k; first += Policy::block_k, ++block) {
    std::int64_t const end = first + Policy::block_k < p.k ? first + Policy::block_k : p.k;
    float of_block = 0;
#pragma unroll 16
    for (std::int64_t k = first; k < end; ++k) {
      of_block = multiply_add(widen(*a.at(row, k)), widen(*b.at(column, k)), of_block);
    }
    accum = multiply_add(of_block, scales_a.at(row, block) * scales_b.at(column, block), accum);
  }
  store_row<1>(p, &accum, row, column, tile.batch);
}

}  // namespace detail

/// One thread per element of C, warps along its rows, for fp8 whose operands have scales of blocks (see per_block()).
/// run() chooses it where there is no wgmma. Block: the elements of one thread block, and 128 of k.
template <class Block>
struct block_scaled : detail::thread_per_element<Block> {
  static constexpr kernel_info info{.loader = operand_loader::direct, .scales_blocks = true};

  template <class T>
  static constexpr bool check_operands() {
    static_assert(detail::is_fp8<T>, "gemm: block_scaled multiplies __nv_fp8_e4m3 and __nv_fp8_e5m2.");
    return detail::is_fp8<T>;
  }

  template <class T>
  static constexpr bool check() {
    static_assert(Block::k == 128, "gemm: block_scaled has a block_k of 128 (the k of a scale). Change block.");
    return Block::k == 128 && detail::thread_per_element<Block>::template check<T>();
  }

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::block_scaled_kernel<Policy, Problem>;
  }
};

/// Named policy: fp8 with scales of blocks where there is no wgmma.
struct block_scaled_32x32 : block_scaled<block<32, 32, 128>> {};

}  // namespace gemm
