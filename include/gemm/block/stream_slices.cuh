// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stream-K: a grid of whole tiles and, behind them, of the slices of the last ones, which the blocks add themselves.
//!
//!     blocks    0 ... whole - 1      a tile each, with all of k
//!               whole ...            slice 0 of every tile that is cut, slice 1 of every one, ...
//!
//! A block that has summed a slice leaves it in the workspace, and counts itself among those that have come to the
//! tile. The last to come adds all slices, in their order. So no block ever waits for another.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/block_index.cuh>
#include <gemm/arch/global_atomics.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>

namespace gemm {

/// A problem whose last columns of tiles are cut along k. Not for users; it is not in detail for the kernels' symbols.
template <class Problem>
struct stream_problem : Problem {
  int whole_tiles, cut_tiles;     // of all products
  int first_tile_n;               // columns of tiles before it are whole
  int slices, depth;              // of a tile that is cut; the last may be shorter
  int first_longer;               // by so much, the first is
  typename Problem::accum* sums;  // [tile][slice], in the order of the threads
  unsigned long long* arrivals;   // [tile]: see arrive_as_last()
};

namespace detail {

/// Whether some of a kernel's blocks sum slices, and add them.
template <class Problem>
inline constexpr bool streams_slices = false;
template <class Problem>
inline constexpr bool streams_slices<stream_problem<Problem>> = true;

/// What a block has of C: a tile, and where it is cut (slice 0 or more) a slice of it. Tiles that are cut are counted
/// by themselves.
struct stream_part {
  int tile, slice;
};

template <class Problem>
__device__ stream_part part_of_block(stream_problem<Problem> const& p) {
  int const index = static_cast<int>(arch::block_index().x), behind = index - p.whole_tiles;
  return behind < 0 ? stream_part{index, -1} : stream_part{behind % p.cut_tiles, behind / p.cut_tiles};
}

template <class Policy, class Problem>
__device__ block_tile tile_of_block(stream_problem<Problem> const& p) {
  auto const [tile, slice] = part_of_block(p);
  int const first = slice < 0 ? 0 : p.first_tile_n, columns = slice < 0 ? p.first_tile_n : p.tiles_n - p.first_tile_n;
  int const of_product = p.tiles_m * columns, batch = tile / of_product;
  return tile_in_columns<Policy>(p.tiles_m, first, columns, tile - batch * of_product, batch);
}

template <class Problem>
__device__ k_range range_of(stream_problem<Problem> const& p, block_tile const& tile) {
  int const slice = part_of_block(p).slice;
  if (slice < 0) {
    return {tile.batch, 0, p.k};
  }
  int const longer = p.first_longer, depth = p.depth + (slice == 0 ? longer : 0);
  std::int64_t const first = std::int64_t{slice} * p.depth + (slice == 0 ? 0 : longer), left = p.k - first;
  return {tile.batch, first, left < depth ? left : depth};
}

/// Elements of the workspace for one slice of a tile.
template <class Policy>
inline constexpr std::int64_t elements_of_slice = std::int64_t{Policy::block_m} * Policy::block_n;

/// What arrivals are counted beside. What was there before the first came means nothing: neither sums nor zeros look
/// like it (a signalling NaN as no arithmetic makes it, twice).
inline constexpr unsigned long long arrival_tag = 0x7fa6'c3d1'7fb5'0000;

/// Counts the block among those that have come, of `all`, and says whether it is the last. The last leaves 0, so that
/// the workspace may be used again at once.
__device__ inline bool arrive_as_last(unsigned long long& arrivals, int all) {
  constexpr unsigned long long count_of = 0xffff;
  unsigned long long found = 0, expected = 0;
  do {
    expected = found;
    bool const counts = (expected & ~count_of) == arrival_tag;
    found = arch::compare_and_swap(arrivals, expected, counts ? expected + 1 : arrival_tag | 1);
  } while (found != expected);
  bool const last = static_cast<int>(found & count_of) + 1 == all && (found & ~count_of) == arrival_tag;
  if (last) {
    arrivals = 0;
  }
  return last;
}

/// Whether the block's consumers, all of whom call it, are to store their tile: it is whole, or it was cut, and they
/// have added its slices because all others had come. `room` is shared memory that nobody uses any more.
template <class Policy, class Problem, class T, int Rows, int Columns>
__device__ bool complete_sums(stream_problem<Problem> const& p, int& room, T (&sum)[Rows][Columns]) {
  constexpr int threads = Policy::consumer_threads, width = widest<T>, in_row = Columns / width;
  auto const [tile, slice] = part_of_block(p);
  if (slice < 0) {
    return true;
  }
  int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads;
  T* const first = p.sums + std::int64_t{tile} * p.slices * elements_of_slice<Policy> + thread * width;
  T* const mine = first + slice * elements_of_slice<Policy>;
#pragma unroll
  for (int i = 0; i < Rows * in_row; ++i) {
    vector<T, width> piece;
#pragma unroll
    for (int e = 0; e < width; ++e) {
      piece.element[e] = sum[i / in_row][i % in_row * width + e];
    }
    store_vector(mine + i * threads * width, piece);
  }
  arch::named_barrier_sync(1, threads);  // for all of the slice to be there, and the ring to be read
  if (thread == 0) {
    room = arrive_as_last(p.arrivals[tile], p.slices) ? 1 : 0;
  }
  arch::named_barrier_sync(1, threads);  // for the answer
  if (room == 0) {
    return false;
  }
  // Some pieces at a time, for all of which there are registers and loads on their way.
  constexpr int pieces = Rows * in_row, at_once = pieces % 16 == 0 ? 16 : 1;
#pragma unroll
  for (int begin = 0; begin < pieces; begin += at_once) {
    T const* from = first + begin * threads * width;
    vector<T, width> total[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      total[i] = load_vector<width>(from + i * threads * width);
    }
#pragma unroll 1
    for (int other = 1; other < p.slices; ++other) {
      from += elements_of_slice<Policy>;
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        auto const piece = load_vector<width>(from + i * threads * width);
#pragma unroll
        for (int e = 0; e < width; ++e) {
          total[i].element[e] = multiply_add(T(1), piece.element[e], total[i].element[e]);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
#pragma unroll
      for (int e = 0; e < width; ++e) {
        sum[(begin + i) / in_row][(begin + i) % in_row * width + e] = total[i].element[e];
      }
    }
  }
  return true;
}

}  // namespace detail

}  // namespace gemm
