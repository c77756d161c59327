// SPDX-License-Identifier: BSL-1.0
//! @file
//! The warp tile on tensor cores: a warp multiplies 16 x 8 tiles by mma.sync, from shared memory by ldmatrix.
//!
//!                  B: 32 bytes of k x 8             In each step every lane names a row of 16 bytes of shared memory,
//!                  +---+---+---+--                  and ldmatrix gives it what mma.sync wants it to hold: of A rows g
//!                  |   |   |   |                    and g + 8, of B column g, g = lane / 4, and in the same rows of
//!     +----+       +---+---+---+--                  C two neighbours of each row.
//!     | 16 |  A    |16x8   |   |   C
//!     +----+       +---+---+---+--                  Rows of shared memory are 16 bytes longer than the tile's, so that
//!     |    |       |   |   |   |                    the 8 rows of a matrix lie in different banks.
//!
//! 16-bit tiles lie as in global memory, mn-major ones are read by ldmatrix.trans. Other mn-major tiles are transposed
//! into shared memory, and doubles are read one by one.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/mma.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/chunk_map.cuh>
#include <gemm/block/mma_input.hpp>
#include <gemm/block/mma_padded_tile.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/store.cuh>
#include <gemm/block/tile_loader.cuh>
#include <gemm/extremes.hpp>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads, resident_blocks<Policy, Problem>)
    warp_mma_kernel(__grid_constant__ Problem const p) {
  using input = typename Problem::element_a;
  using storage = typename Problem::storage;
  using atom = arch::mma_atom<input>;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int rows = Policy::warp_m / 16, columns = Policy::warp_n / 8;  // 16 x 8 tiles of a warp
  constexpr major major_a = mma_shared_major<input, storage::a>, major_b = mma_shared_major<input, storage::b>;
  constexpr int width_a = Wide ? Policy::template access_width<input, storage::a> : 1;
  constexpr int width_b = Wide ? Policy::template access_width<input, storage::b> : 1;
  // example-begin operands
  struct tiles {
    padded_tile<input, major_a, block_m, block_k> a;
    padded_tile<input, major_b, block_n, block_k> b;
  };
  auto& shared = arch::dynamic_shared_memory<tiles>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  tile_loader<mma_loaded<input>, storage::a, major_a, block_m, block_k, Policy::threads, width_a> a(
      as_loaded(operand_a(p, tile.batch)), tile.row);
  tile_loader<mma_loaded<input>, storage::b, major_b, block_n, block_k, Policy::threads, width_b> b(
      as_loaded(operand_b(p, tile.batch)), tile.column);
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int const row = warp / (block_n / Policy::warp_n) * Policy::warp_m;
  int const column = warp % (block_n / Policy::warp_n) * Policy::warp_n;
  // example-end
  // example-begin main_loop
  typename Problem::accum accum[rows][columns][atom::words_c] = {};
  for (std::int64_t k_left = p.k; k_left > 0; k_left -= block_k) {
    a.fetch(k_left);
    b.fetch(k_left);
    __syncthreads();  // the last tiles have been read
    a.commit(shared.a.row);
    b.commit(shared.b.row);
    __syncthreads();  // these tiles are complete
#pragma unroll
    for (int k = 0; k < block_k; k += atom::k) {
      typename atom::word a_k[rows][atom::words_a], b_k[columns][atom::words_b];
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        shared.a.template read<16>(a_k[i], row + i * 16, k, lane);
      }
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        shared.b.template read<8>(b_k[j], column + j * 8, k, lane);
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (int j = 0; j < columns; ++j) {
          arch::mma<atom>(accum[i][j], a_k[i], b_k[j]);
        }
      }
    }
  }
  // example-end
  // example-begin store
  // Asked for again, instead of kept in registers through the loop.
  block_tile const target = tile_of_block<Policy>(p);
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns; ++j) {
#pragma unroll
      for (int e = 0; e < atom::words_c; e += 2) {  // two neighbours
        arch::mma_position const position = atom::position_c(lane, e);
        store_row<2>(p, &accum[i][j][e], target.row + row + i * 16 + position.row,
                     target.column + column + j * 8 + position.column, target.batch);
      }
    }
  }
  // example-end
}

}  // namespace detail

/// 16 x 8 tiles by mma.sync. Block: the tile of C and its depth; Warp: one warp's part; Input: half_or_bf16, tf32,
/// std::int8_t or double.
template <class Block, class Warp, class Input = half_or_bf16>
struct warp_mma {
  // example-begin policy
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int warp_m = Warp::m, warp_n = Warp::n;
  static constexpr int threads = detail::ratio(block_m, warp_m) * detail::ratio(block_n, warp_n) * 32;
  static constexpr int accumulators = warp_m * warp_n / 32;
  static constexpr kernel_info info{
      .op = math_op::mma, .loader = operand_loader::through_registers, .tf32 = std::is_same_v<Input, tf32>};

  template <class T>
  static constexpr bool check_operands() {
    return detail::check_mma_operands<Input, T>();
  }
  // example-end
  template <class T>
  static constexpr bool check() {
    constexpr bool sides = detail::legal_mma_tile<Block, Warp, Input>();
    if constexpr (sides) {
      if constexpr (detail::fits_registers<T, accumulators>()) {
        return detail::fits_shared_memory<shared_bytes<T>>();
      }
    }
    return false;
  }

  /// Elements of a wide access to an operand; 1 where it is transposed.
  template <class T, major Major>
  static constexpr int access_width =
      detail::mma_shared_major<T, Major> == Major ? detail::loader_width<T, Major, warp_mma> : 1;

  /// Of the storage with most.
  template <class T>
  static constexpr std::size_t shared_bytes = [] {
    constexpr int element = detail::mma_element_bytes<Input>, pad = element == 8 ? 32 : 16;
    auto const tile = [](int outer) {
      return detail::greater(outer * (block_k * element + pad), block_k * (outer * element + pad));
    };
    return static_cast<std::size_t>(tile(block_m) + tile(block_n));
  }();

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::warp_mma_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
