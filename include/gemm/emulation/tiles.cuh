// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which tiles of C the blocks of fp16x3 compute: whole ones and, for what would not fill the device with them, narrow
//! ones.
//!
//!     0 ... whole - 1          tiles of the policy, in waves that fill the device
//!     whole ... all - 1        the others, each in narrow tiles, and narrow ones for columns that no tile fills
//!
//! An element's sum is the same in either, bit for bit. So the last wave takes about half the time where what is left
//! is less than a third of one (H200, 4096^3 in tiles of 128 x 192: 5.3 waves).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/cluster_place.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/warpgroup_lines.cuh>
#include <gemm/emulation/unscale.cuh>

namespace gemm {

/// How tiles are shared out, in tiles of clusters. Not for users; it is not in detail for the kernels' symbols.
struct tile_shares {
  std::int64_t whole;   // tiles of the policy, the first of tiles_m x tiles_n for each product
  std::int64_t narrow;  // tiles behind them
  std::int64_t cut;     // the first that is not whole
  int rest_columns;     // of narrow tiles, beyond those tiles_n
  bool only_narrow;     // another launch computes the whole ones
};

namespace detail {

/// A policy's narrow tiles.
template <class Policy>
struct narrow_tiles : Policy {
  static constexpr int block_n = Policy::narrow_n, accumulators = block_n / 2, stages = Policy::stages_of_narrow;
  static constexpr bool is_narrow = true;
};

/// The tile of a whole cluster.
template <class Policy>
struct cluster_tile {
  static constexpr int block_m = Policy::block_m * Policy::cluster_m, block_n = Policy::block_n * Policy::cluster_n;
};

template <class Policy, class Problem>
__device__ block_tile whole_tile(Problem const& p, std::int64_t index) {
  std::int64_t const of_product = std::int64_t{p.tiles_m} * p.tiles_n, batch = index / of_product;
  return tile_of_index<cluster_tile<Policy>>(p, static_cast<int>(index - batch * of_product), batch);
}

/// The narrow tile with this number, behind the whole ones.
template <class Policy, class Problem>
__device__ block_tile narrow_tile(Problem const& p, tile_shares const& shares, std::int64_t index) {
  constexpr int in_whole = Policy::block_n / Policy::narrow_n, columns = Policy::narrow_n * Policy::cluster_n;
  std::int64_t const cut = std::int64_t{p.tiles_m} * p.tiles_n * p.batch_count - shares.cut;
  if (index < cut * in_whole) {
    block_tile tile = whole_tile<Policy>(p, shares.cut + index / in_whole);
    tile.column += index % in_whole * columns;
    return tile;
  }
  std::int64_t const rest = index - cut * in_whole, across = rest / p.tiles_m, batch = across / shares.rest_columns;
  return {.row = (rest - across * p.tiles_m) * cluster_tile<Policy>::block_m,
          .column = std::int64_t{p.tiles_n} * cluster_tile<Policy>::block_n +
                    (across - batch * shares.rest_columns) * columns,
          .batch = batch};
}

/// action(tile) for every whole tile of the block's, each so many-th as there are blocks: where the block's own part
/// is. An action that returns false is the last: who asks for narrow tiles then finds that out again, which spills
/// less.
template <class Policy, class Problem, class Action>
__device__ void for_each_whole(Problem const& p, tile_shares const& shares, cluster_place<Policy> const& place,
                               Action action) {
#pragma unroll 1
  for (std::int64_t index = blockIdx.x; index < shares.whole; index += gridDim.x) {
    block_tile const tile = whole_tile<Policy>(p, index);
    if (!action(
            block_tile{tile.row + place.m * Policy::block_m, tile.column + place.n * Policy::block_n, tile.batch})) {
      return;
    }
  }
}

/// The same for every narrow one. Where there are some, whole ones fill their waves.
template <class Policy, class Problem, class Action>
__device__ void for_each_narrow(Problem const& p, tile_shares const& shares, cluster_place<Policy> const& place,
                                Action action) {
#pragma unroll 1
  for (std::int64_t index = blockIdx.x; index < shares.narrow; index += gridDim.x) {
    block_tile const tile = narrow_tile<Policy>(p, shares, index);
    if (!action(
            block_tile{tile.row + place.m * Policy::block_m, tile.column + place.n * Policy::narrow_n, tile.batch})) {
      return;
    }
  }
}

/// A warp's memory for a tile: first the exponents of the scales, then lines of C.
template <int Columns>
union tile_room {
  warp_exponents<Columns> exponents;
  warp_lines<Columns> lines;
};

}  // namespace detail

}  // namespace gemm
