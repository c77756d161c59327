// SPDX-License-Identifier: BSL-1.0
//! @file
//! The grids of kernels that follow a schedule, of persistent blocks and of others, and the schedule.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/extremes.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/status.hpp>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// Tiles of a problem, those of whole clusters.
template <class Problem>
double tiles_of(compiled_kernel const& of, Problem const& p) {
  return static_cast<double>(tiles(p.m, of.block_m * of.cluster_m)) *
         static_cast<double>(tiles(p.n, of.block_n * of.cluster_n)) * of.cluster_blocks() *
         static_cast<double>(tiles(p.batch_count, of.products));
}

/// The grid: a block for each tile or slice, or a cluster for each of its own, but no more than the device holds.
///
/// `shared_bytes` becomes as much as keeps a multiprocessor from taking more than its share (see spread_bytes()).
template <class Problem>
status shape_persistent(compiled_kernel const& of, Problem const& p, int slices, dim3& grid,
                        std::size_t& shared_bytes) {
  int const blocks = of.cluster_blocks();
  int multiprocessors = 0;
  status const result = device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount);
  auto const slots = static_cast<std::int64_t>(tables::cluster_slots(blocks, of.min_blocks, multiprocessors));
  std::int64_t const clusters = slots / blocks, held = clusters > 0 ? clusters : 1,
                     works = std::int64_t{p.tiles_m} * p.tiles_n * p.batch_count * slices;
  grid = dim3(static_cast<unsigned>(works < held ? works : held), 1, static_cast<unsigned>(blocks));
  double const all = static_cast<double>(grid.x) * blocks;
  shared_bytes = greater(shared_bytes, spread_bytes(blocks_each(all, blocks, of.min_blocks, multiprocessors)));
  return result;
}

/// The batch goes over y, and z where y ends; where they hold more than there is, the last blocks return at once.
template <class Problem>
dim3 grid_of_whole(Problem const& p) {
  auto const blocks = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n);
  std::int64_t const z = tiles(p.batch_count, most_of_grid_y), y = tiles(p.batch_count, z);
  return dim3(blocks, static_cast<unsigned>(y), static_cast<unsigned>(z));
}

/// The grid of blocks, or of clusters along z, that have one work each; of those that a persistent kernel is to find
/// along x, `flat`.
template <class Problem>
dim3 grid_of_works(Problem const& p, split_plan const& plan, bool flat) {
  auto const of_product = static_cast<unsigned>(p.tiles_m) * static_cast<unsigned>(p.tiles_n),
             products = static_cast<unsigned>(p.batch_count), slices = static_cast<unsigned>(plan.slices);
  switch (plan.by) {
    case reduction::none:
      return grid_of_whole(p);
    case reduction::last_arriver:
      return dim3(static_cast<unsigned>(plan.whole_tiles) + static_cast<unsigned>(plan.cut_tiles) * slices);
    case reduction::workspace:
    case reduction::cluster:
      return flat ? dim3(of_product * products, 1, slices) : dim3(of_product, products, slices);
  }
  return {};
}

/// The schedule of a kernel whose blocks take works: all of k, or the slices of a plan.
template <class Problem>
[[gnu::noinline]] schedule schedule_of(compiled_kernel const& of, Problem const& p, split_plan const& plan,
                                       bool persistent) {
  schedule s{.order = persistent ? tile_order::persistent : tile_order::single_tile,
             .how = plan.by,
             .tiles_m = p.tiles_m,
             .tiles_n = p.tiles_n,
             .batches = static_cast<int>(p.batch_count),
             .band = greater(1, 2048 / (of.block_m * of.cluster_m)),
             .k_tiles = static_cast<int>(tiles(p.k, of.block_k))};
  if (plan.slices > 1) {
    s.order = s.how == reduction::cluster     ? tile_order::single_tile
              : s.how == reduction::workspace ? tile_order::split_k
                                              : tile_order::stream_k;
    s.slices = plan.slices;
    s.depth = plan.depth / of.block_k;
    s.first_longer = plan.first_longer / of.block_k;
    s.first_tile_n = plan.first_tile_n;
  }
  return s;
}

/// Tells a kernel its works, and where the slices of a plan are in the workspace.
template <class Parameter, class Problem>
void give_works(scheduled<Parameter>& x, compiled_kernel const& of, Problem const& p, split_plan const& plan,
                void* workspace, bool persistent) {
  x.order = schedule_of(of, p, plan, persistent);
  x.workspace = workspace;
  if (x.order.how == reduction::last_arriver) {
    std::int64_t const elements = plan.cut_tiles * std::int64_t{plan.slices} * of.block_m * of.block_n;
    x.arrivals = reinterpret_cast<unsigned long long*>(static_cast<typename Problem::accum*>(workspace) + elements);
  }
}

}  // namespace gemm::detail
