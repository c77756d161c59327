// SPDX-License-Identifier: BSL-1.0
//! @file
//! A work: a tile of C, a range of its k, and how the range's accumulators become C; and what a launch's works depend
//! on.
#pragma once

#include <cuda_runtime.h>

#include <gemm/kernel_info.hpp>

namespace gemm::detail {

/// What a block does between two stores. Tiles are those of a cluster.
struct alignas(16) work {
  int tile_m, tile_n, batch;
  int k_begin, k_tiles;  // in tiles of block_k; k_tiles < 0: there is no more work
  int slot;              // of the tile, among those whose k is split
  unsigned short slice, slices;
  reduction mode;
};

/// In which order tiles and slices are walked.
enum class tile_order : unsigned char { single_tile, persistent, split_k, stream_k };

/// The parameters of all schedules. Tiles are those of a cluster.
struct schedule {
  tile_order order;
  reduction mode;  // of tiles whose k is split
  int tiles_m, tiles_n, batches;
  int band;                   // rows of tiles that are walked together, for the L2
  int k_tiles;                // of a whole tile, in tiles of block_k
  int slices = 1, depth = 0;  // in tiles of block_k; the last slice may be shorter
  int first_longer = 0;       // stream-K: by so much, the first slice is
  int first_tile_n = 0;       // stream-K: columns of tiles before it are whole
};

/// The parameter of a kernel whose blocks follow a schedule: its operands and C, the schedule, and the workspace for
/// slices, of the accumulator's type.
template <class Parameter>
struct scheduled {
  Parameter io;
  schedule order;
  void* workspace = nullptr;
  unsigned long long* arrivals = nullptr;  // last_arriver, [slot]
};

/// Who asks: the cluster's number, how many there are, and the block's rank where a cluster shares a tile's k.
struct block_position {
  unsigned cluster, clusters, rank;
};

/// A work with all of k, whose tile is not placed yet.
__host__ __device__ inline work whole_work(schedule const& s) {
  return {.tile_m = 0,
          .tile_n = 0,
          .batch = 0,
          .k_begin = 0,
          .k_tiles = s.k_tiles,
          .slot = 0,
          .slice = 0,
          .slices = 1,
          .mode = reduction::none};
}

__host__ __device__ inline unsigned tiles_of(schedule const& s, int columns) {
  return static_cast<unsigned>(s.tiles_m) * static_cast<unsigned>(columns) * static_cast<unsigned>(s.batches);
}

/// A tile's number among those of `columns` columns of tiles from the first on, of all products.
struct tile_number {
  unsigned index;
  int first, columns;
};

/// Places the work's tile: down a band of rows, then to the next column in the band. Without signs, and without a
/// division where there is one band.
__host__ __device__ inline void locate_tile(schedule const& s, work& w, tile_number const& tile) {
  auto const rows = static_cast<unsigned>(s.tiles_m), columns = static_cast<unsigned>(tile.columns),
             band = static_cast<unsigned>(s.band);
  unsigned const of_product = rows * columns, batch = s.batches == 1 ? 0 : tile.index / of_product;
  unsigned index = tile.index - batch * of_product, first_row = 0, height = rows;
  if (rows > band) {
    unsigned const of_band = band * columns, before = index / of_band;
    index -= before * of_band;
    first_row = before * band;
    height = rows - first_row < band ? rows - first_row : band;
  }
  unsigned const column = index / height;
  w.tile_m = static_cast<int>(first_row + index - column * height);
  w.tile_n = tile.first + static_cast<int>(column);
  w.batch = static_cast<int>(batch);
}

/// The work's range of k, by the slice's number; `slot`: the tile's, among those whose k is split.
__host__ __device__ inline void take_slice(schedule const& s, work& w, unsigned slice, unsigned slot) {
  int const longer = slice == 0 ? s.first_longer : 0, begin = static_cast<int>(slice) * s.depth;
  w.k_begin = slice == 0 ? 0 : begin + s.first_longer;
  int const left = s.k_tiles - w.k_begin;
  w.k_tiles = left < s.depth + longer ? left : s.depth + longer;
  w.slot = static_cast<int>(slot);
  w.slice = static_cast<unsigned short>(slice);
  w.slices = static_cast<unsigned short>(s.slices);
  w.mode = s.mode;
}

}  // namespace gemm::detail
