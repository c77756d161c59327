// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rung for batches of small products: a warp has a tile of C to itself, and waits for nobody else.
//!
//!     block    as many products of the batch as it has warps
//!     warp     copies its tiles of A and B, all at once, to shared memory of its own: cp.async, element by element
//!     lane     block_m / 8 x block_n / 4 sums: rows ty + 8 i, columns 4 tx + 16 (j / 4) + j % 4
//!
//! A product of 16^3 needs 2 KB of memory: latency bounds it, which many warps hide, each waiting for its own. Elements
//! outside the matrices are neither copied nor stored, and k is not padded.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// Products of a batch that a block of the policy computes, one after the other in the batch.
template <class Policy>
inline constexpr int batch_per_block = Policy::info.products;

/// Blocks that share a multiprocessor: as many as its memory and its registers hold.
template <class Policy, class T>
inline constexpr int small_blocks = [] {
  constexpr int words = static_cast<int>(sizeof(T)) / 4;
  constexpr int by_memory = 228 * 1024 / (static_cast<int>(Policy::template shared_bytes<T>) + 1024);
  constexpr int fragments = Policy::block_m / 8 * 4 + Policy::block_n / 4 + 4;
  constexpr int by_registers = 65536 / (Policy::threads * (40 + words * (Policy::accumulators + fragments)));
  constexpr int blocks = by_memory < by_registers ? by_memory : by_registers;
  return blocks > 1 ? blocks : 1;
}();

/// Lanes of a warp along a row of so many elements, 16, 32 or 48.
template <int Length>
inline constexpr int small_lanes = Length % 32 == 0 ? 32 : 16;

/// A warp copies a tile of an operand, from (outer0, k0) on, `lines` x `depth` elements, to shared memory: [outer][k]
/// where ByOuter, else [k][outer]. Behind k zeros fill up to a multiple of four. Lanes run along memory.
template <bool ByOuter, int Outer, int K, class T, major Major, int Lines, int Pitch>
__device__ void copy_small_tile(operand_view<T, Major> const& from, std::int64_t outer0, std::int64_t k0, int lines,
                                int depth, T (&shared)[Lines][Pitch]) {
  constexpr bool along_k = Major == major::k;
  constexpr int length = along_k ? K : Outer, lanes = small_lanes<length>, at_once = 32 / lanes;
  [[maybe_unused]] constexpr int unrolled = 8 * lanes / length;  // which the CPU device does not do
  int const filled = (depth + 3) / 4 * 4, along = along_k ? filled : lines, across = along_k ? lines : filled;
  int const x = static_cast<int>(threadIdx.x) % lanes, y = static_cast<int>(threadIdx.x) % 32 / lanes;
  T const* next = from.at(outer0, k0) + y * from.ld + x;
#pragma unroll unrolled
  for (int i = y; i < across; i += at_once) {
#pragma unroll
    for (int j = 0; j < length; j += lanes) {
      int const outer = along_k ? i : x + j, k = along_k ? x + j : i;
      bool const inside = k < depth;
      if (x + j < along) {
        arch::cp_async_zfill<sizeof(T)>(ByOuter ? &shared[outer][k] : &shared[k][outer], inside ? next + j : from.data,
                                        inside ? static_cast<int>(sizeof(T)) : 0);
      }
    }
    next += at_once * from.ld;
  }
}

/// Stores a warp's accumulators where 16-byte stores cannot: out of shared memory, lanes along the rows of C.
template <int M, int N, class Problem, class T, int Pitch>
__device__ void store_small_tile(Problem const& p, T const (&accumulators)[M][Pitch], block_tile const& tile) {
  constexpr int lanes = small_lanes<N>, at_once = 32 / lanes;
  int const x = static_cast<int>(threadIdx.x) % lanes, y = static_cast<int>(threadIdx.x) % 32 / lanes;
#pragma unroll 4
  for (int i = 0; i < M; i += at_once) {
#pragma unroll
    for (int j = 0; j < N; j += lanes) {
      store_row<1>(p, &accumulators[i + y][x + j], tile.row + i + y, tile.column + x + j, tile.batch);
    }
  }
}

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, small_blocks<Policy, typename Problem::accum>)
    small_kernel(__grid_constant__ Problem const p) {
  using accum = typename Problem::accum;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int rows = block_m / 8, columns = block_n / 4, width = 4;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile tile = tile_of_block<Policy>(p);
  int const warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  tile.batch = tile.batch * Policy::products + warp;
  if (tile.batch >= p.batch_count) {
    return;  // the whole warp
  }
  arch::wait_for_dependency();  // for who writes the operands
  arch::launch_dependents();
  auto const a = operand_a(p, tile.batch);
  auto const b = operand_b(p, tile.batch);
  int const lines_m = p.m - tile.row < block_m ? static_cast<int>(p.m - tile.row) : block_m;
  int const lines_n = p.n - tile.column < block_n ? static_cast<int>(p.n - tile.column) : block_n;
  int const tx = lane % 4, ty = lane / 4;
  auto& mine = shared.of_warp[warp];

  accum accumulators[rows][columns] = {};
  for (std::int64_t k0 = 0; k0 < p.k; k0 += block_k) {
    int const depth = p.k - k0 < block_k ? static_cast<int>(p.k - k0) : block_k;
    copy_small_tile<true, block_m, block_k>(a, tile.row, k0, lines_m, depth, mine.operands.a);
    copy_small_tile<false, block_n, block_k>(b, tile.column, k0, lines_n, depth, mine.operands.b);
    arch::cp_async_commit_group();
    arch::cp_async_wait_group<0>();
    __syncwarp();  // the tiles are there
#pragma unroll 1
    for (int k = 0; k < depth; k += width) {
      accum a_k[rows][width];
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        load_fragment<width, 0>(a_k[i], &mine.operands.a[ty + 8 * i][k]);
      }
#pragma unroll
      for (int e = 0; e < width; ++e) {
        accum a_e[rows], b_e[columns];
        load_fragment<width, 16>(b_e, &mine.operands.b[k + e][4 * tx]);
#pragma unroll
        for (int i = 0; i < rows; ++i) {
          a_e[i] = a_k[i][e];
        }
        add_outer_product(accumulators, a_e, b_e);
      }
    }
    __syncwarp();  // they have been read
  }
  if (has_pieces<width>(p)) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
      for (int j = 0; j < columns; j += width) {
        store_row<width, true>(p, &accumulators[i][j], tile.row + ty + 8 * i, tile.column + 4 * tx + 4 * j, tile.batch);
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        mine.c[ty + 8 * i][4 * tx + 16 * (j / width) + j % width] = accumulators[i][j];
      }
    }
    __syncwarp();  // the whole tile is there
    store_small_tile<block_m, block_n>(p, mine.c, tile);
  }
}

}  // namespace detail

/// For batches of products that fit into one tile. Block: the tile and its depth; Warps: of a block, each of which
/// computes one product of the batch at a time. Larger products it computes, too, but what a warp copies it shares with
/// nobody.
///
/// Float and double. Operands are copied element by element: any alignment is as good as another.
template <class Block, class Warps>
struct warp_per_product {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int products = Warps::count, threads = 32 * products;
  static constexpr int accumulators = block_m * block_n / 32;
  static constexpr kernel_info info{.loader = operand_loader::cp_async, .products = products, .dependent_launch = true};

  template <class T>
  union alignas(16) warp_tiles {
    struct {
      // Lines 16 bytes longer, so that lanes which copy a column reach more than one bank.
      T a[block_m][block_k + 4];
      T b[block_k][block_n + 4];
    } operands;
    T c[block_m][block_n + 1];
  };
  template <class T>
  struct shared_storage {
    warp_tiles<T> of_warp[products];
  };

  template <class T>
  static constexpr bool check_operands() {
    constexpr bool type = sizeof(T) >= 4;
    static_assert(
        type,
        "gemm: warp_per_product copies elements of 4 or 8 bytes, float or double. Use pipelined for other types.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr auto side = [](int x) { return x == 16 || x == 32 || x == 48; };
    constexpr bool sides = side(block_m) && side(block_n) && side(block_k);
    static_assert(
        sides,
        "gemm: block_m, block_n and block_k of warp_per_product must be 16, 32 or 48 (a warp's tile). Change block.");
    constexpr bool warps = detail::legal_threads(threads);
    static_assert(!sides || warps, "gemm: warp_per_product has 1 to 32 warps. Change warps.");
    if constexpr (sides && warps) {
      return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
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
    return &detail::small_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
