// SPDX-License-Identifier: BSL-1.0
//! @file
//! How a planned product is launched: the kernel, the grid, how its blocks are spread, and the schedule.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/extremes.hpp>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// All of a launch but the addresses of operands and workspace.
struct launch_plan {
  bool better = false;   // which of policy_kernels
  bool maps_ab = false;  // A and B, or their copies, are loaded by TMA
  dim3 grid{};
  std::size_t shared_bytes = 0;
  launch_kind kind{};
  schedule order{};  // of kernels without a schedule its tiles alone
};

/// Whether products begin at any element of an operand along memory: of ragged sides alone (launch/ragged.cuh).
template <class Problem>
bool begins_at_any_element(Problem const&) {
  return false;
}

/// Tiles of a problem, those of whole clusters.
template <class Problem>
double tiles_of(compiled_kernel const& kernel, Problem const& p) {
  return static_cast<double>(tiles(p.m, kernel.block_m * kernel.cluster_m)) *
         static_cast<double>(tiles(p.n, kernel.block_n * kernel.cluster_n)) * kernel.cluster_blocks() *
         static_cast<double>(tiles(p.batch_count, kernel.products));
}

/// The schedule of a kernel whose blocks take works: all of k, or the slices of a plan.
template <class Problem>
[[gnu::noinline]] schedule schedule_of(compiled_kernel const& kernel, Problem const& p, split_plan const& split,
                                       bool persistent) {
  schedule s{.order = persistent ? tile_order::persistent : tile_order::single_tile,
             .mode = split.mode,
             .tiles_m = static_cast<int>(tiles(p.m, kernel.block_m * kernel.cluster_m)),
             .tiles_n = static_cast<int>(tiles(p.n, kernel.block_n * kernel.cluster_n)),
             .batches = static_cast<int>(tiles(p.batch_count, kernel.products)),
             .band = greater(1, 2048 / (kernel.block_m * kernel.cluster_m)),
             .k_tiles = static_cast<int>(tiles(p.k, kernel.block_k))};
  if (split.mode == reduction::block) {
    s.depth = split.depth / kernel.block_k;
  } else if (split.slices > 1) {
    s.order = s.mode == reduction::cluster     ? tile_order::single_tile
              : s.mode == reduction::workspace ? tile_order::split_k
                                               : tile_order::stream_k;
    s.slices = split.slices;
    s.depth = split.depth / kernel.block_k;
    s.first_longer = split.first_longer / kernel.block_k;
    s.first_tile_n = split.first_tile_n;
  }
  return s;
}

/// The grid of persistent blocks: one, or a cluster, for each work, but no more than the device holds.
inline dim3 grid_of_persistent(compiled_kernel const& kernel, schedule const& s, int multiprocessors) {
  int const blocks = kernel.cluster_blocks();
  auto const slots = static_cast<std::int64_t>(tables::cluster_slots(blocks, kernel.min_blocks, multiprocessors));
  std::int64_t const works = std::int64_t{s.tiles_m} * s.tiles_n * s.batches * s.slices;
  return dim3(static_cast<unsigned>(lesser(works, greater(slots / blocks, std::int64_t{1}))), 1,
              static_cast<unsigned>(blocks));
}

/// The grid of blocks, or of clusters along z, that have one work each; of those that a persistent kernel is to find
/// along x, `flat`. A batch goes over y, and z where y ends; where they hold more than there is, the last blocks return
/// at once.
inline dim3 grid_of_works(schedule const& s, std::int64_t batches, split_plan const& plan, bool flat) {
  auto const of_product = static_cast<unsigned>(s.tiles_m) * static_cast<unsigned>(s.tiles_n),
             products = static_cast<unsigned>(batches), slices = static_cast<unsigned>(plan.slices);
  switch (plan.mode) {
    case reduction::none:
    case reduction::block: {
      std::int64_t const z = tiles(batches, most_of_grid_y), y = tiles(batches, z);
      return dim3(of_product, static_cast<unsigned>(y), static_cast<unsigned>(z));
    }
    case reduction::last_arriver:
      return dim3(static_cast<unsigned>(plan.whole_tiles) + static_cast<unsigned>(plan.cut_tiles) * slices);
    case reduction::workspace:
    case reduction::cluster:
      return flat ? dim3(of_product * products, 1, slices) : dim3(of_product, products, slices);
  }
  return {};
}

/// The launch of a problem whose k is split and whose operands are packed so; check_launch() has passed it.
///
/// Blocks that may start while the kernel before ends, or that are few, are kept apart (spread_bytes()): else some
/// share a multiprocessor while others idle (docs/tuning-notes.md, Launches). Without TMA a kernel starts early only if
/// it waits by itself for the one before; by TMA all do.
template <class Problem>
[[gnu::noinline]] static launch_plan plan_launch(compiled_kernel const& kernel, Problem const& p,
                                                 split_plan const& split, repack_plan const& packing = {}) {
  bool const by_tma = kernel.uses_tma(), in_cluster = split.mode == reduction::cluster;
  launch_plan plan;
  plan.maps_ab = by_tma && p.k > 0 && (packing.bytes > 0 || loads_by_tma(kernel, p));
  plan.better = by_tma ? kernel.repacks || plan.maps_ab : reads_wide(kernel, p, packing);
  plan.kind = {.cluster = in_cluster ? split.slices : kernel.cluster_blocks(),
               .dependent = by_tma || (kernel.dependent_launch && current_code().dependent_launch)};
  bool const persistent = by_tma && kernel.is_persistent() && plan.better;
  plan.order = schedule_of(kernel, p, split, persistent);
  int const multiprocessors = multiprocessors_of_call();
  bool const in_waves = persistent && !in_cluster;
  plan.grid = in_waves
                  ? grid_of_persistent(kernel, plan.order, multiprocessors)
                  : grid_of_works(plan.order, tiles(p.batch_count, kernel.products), split, kernel.is_persistent());
  double const blocks = static_cast<double>(plan.grid.x) * plan.grid.y * plan.grid.z;
  bool const spread = in_waves || (by_tma ? in_cluster && !kernel.on_tensor_cores() : plan.kind.dependent);
  int const held = in_waves ? kernel.min_blocks : kernel.resident;
  int const each = spread ? blocks_each(blocks, plan.kind.cluster, held, multiprocessors) : 0;
  plan.shared_bytes = greater(kernel.shared_bytes, spread_bytes(each));
  return plan;
}

/// Whether the policy's blocks may come while those that pack leave. Not if they would pile up on the multiprocessors
/// that these leave first, while others are idle. Nor, without clusters, for three tiles of tensor cores each and more,
/// which then takes longer (docs/tuning-notes.md, Launches).
template <class Problem>
bool may_come_early(compiled_kernel const& kernel, Problem const& p, split_plan const& split) {
  bool const of_tensor_cores = kernel.on_tensor_cores();
  if (of_tensor_cores ? !kernel.is_persistent() || kernel.cluster_blocks() > 1 : kernel.min_blocks <= 1) {
    return true;
  }
  int const multiprocessors = multiprocessors_of_call();
  double const works = tiles_of(kernel, p) * split.blocks_of_tile();
  return of_tensor_cores ? works < 3.0 * kernel.min_blocks * multiprocessors
                         : works > (kernel.min_blocks - 1.0) * multiprocessors;
}

}  // namespace gemm::detail
