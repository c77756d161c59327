// SPDX-License-Identifier: BSL-1.0
//! @file
//! How a kernel whose blocks stay is launched: how many there are, how they are spread, and their schedule.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gemm/block/k_slice.cuh>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/device.hpp>
#include <gemm/host/one_wave.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/status.hpp>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// The grid: a block for each tile or slice, or a cluster for each of its own, but no more than the device holds.
///
/// Where there are fewer blocks than places, `shared_bytes` becomes as much as keeps a multiprocessor from taking more
/// than its share: blocks come while those of the kernel before leave, and would crowd where these leave first (an
/// H200, persistent_36x128x32 over and over: 30x30000x512 in 235 tiles 42.2 us, and 32.4 so).
template <class Problem>
status shape_persistent(compiled_kernel const& of, Problem const& p, int slices, dim3& grid,
                        std::size_t& shared_bytes) {
  int const blocks = of.cluster_blocks();
  int multiprocessors = 0;
  status const result = device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount);
  auto const places = static_cast<std::int64_t>(tables::cluster_places(blocks, of.min_blocks, multiprocessors));
  std::int64_t const room = places / blocks, held = room > 0 ? room : 1,
                     works = std::int64_t{p.tiles_m} * p.tiles_n * p.batch_count * slices;
  grid = dim3(static_cast<unsigned>(works < held ? works : held), 1, static_cast<unsigned>(blocks));
  std::int64_t const each = multiprocessors > 0 ? (std::int64_t{grid.x} * blocks - 1) / multiprocessors + 1 : 0;
  if (each > 1 && each < of.min_blocks) {
    shared_bytes = (std::max)(shared_bytes, spread_bytes(static_cast<int>(each)));
  }
  return result;
}

/// The slices of k that a scheduled kernel sums, one: all of it; and where they go, if a second kernel adds them.
struct scheduled_slices {
  int count = 1, depth = 0;
  reduction how = reduction::none;
  float* workspace = nullptr;
};

/// The grid of clusters that share a tile's k: the persistent kernel's clusters all lie along x.
template <class Problem>
dim3 grid_of_clusters(compiled_kernel const& of, Problem const& p, int slices) {
  auto const of_product = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n),
             products = static_cast<unsigned>(p.batch_count), z = static_cast<unsigned>(slices);
  return of.is_persistent() ? dim3(of_product * products, 1, z) : dim3(of_product, products, z);
}

/// The schedule of a kernel whose blocks take works: all of k, or the slices that are asked for.
template <class Problem>
[[gnu::noinline]] schedule schedule_of(compiled_kernel const& of, Problem const& p, scheduled_slices slices) {
  schedule s{.order = of.is_persistent() ? tile_order::persistent : tile_order::single_tile,
             .how = reduction::none,
             .tiles_m = p.tiles_m,
             .tiles_n = p.tiles_n,
             .batches = static_cast<int>(products_of(p)),
             .band = (std::max)(1, 2048 / (of.block_m * of.cluster_m)),
             .k_tiles = static_cast<int>(tiles(p.k, of.block_k))};
  if constexpr (sums_slices<Problem>) {
    slices = {.count = p.epilogue.count, .depth = p.epilogue.depth, .how = reduction::workspace};
  }
  if (slices.count > 1) {
    s.order = slices.how == reduction::cluster ? tile_order::single_tile : tile_order::split_k;
    s.how = slices.how;
    s.slices = slices.count;
    s.depth = slices.depth / of.block_k;
  }
  return s;
}

}  // namespace gemm::detail
