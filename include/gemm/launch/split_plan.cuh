// SPDX-License-Identifier: BSL-1.0
//! @file
//! How k is split, and what memory the slices need.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/block/problem.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/extremes.hpp>
#include <gemm/kernel/split_k.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// How the slices of a policy may be added: for each a kernel is compiled.
struct splits {
  bool in_workspace = false, in_cluster = false, streams = false, in_block = false;

  constexpr bool has(reduction mode) const {
    return mode == reduction::workspace ? in_workspace
           : mode == reduction::cluster ? in_cluster
           : mode == reduction::block   ? in_block
                                        : streams;
  }
};

/// How a policy adds them that cuts k itself.
constexpr splits splits_of(slicing const& slices) {
  bool const cut = slices.most > 1;
  return {.in_workspace = cut && slices.mode == reduction::workspace,
          .in_cluster = cut && slices.mode == reduction::cluster,
          .streams = cut && slices.mode == reduction::last_arriver};
}

/// How k is cut: into `slices` of `depth`, whose accumulators need `bytes` unless clusters add them: `rows` of `ld`
/// elements, or for stream-K whole tiles.
struct split_plan {
  reduction mode = reduction::none;
  int slices = 1;
  int depth = 0;
  int first_longer = 0;  // by so much, the first slice is, in stream-K:
  int first_tile_n = 0;  // of the columns of tiles that are split, the last ones
  int whole_tiles = 0;   // of all products,
  int cut_tiles = 0;     // and those that are split
  std::int64_t rows = 0, ld = 0;
  std::size_t bytes = 0, arrivals_begin = 0;  // of the workspace; where stream-K counts the slices that are done

  /// Blocks that share each tile.
  int blocks_of_tile() const { return mode == reduction::last_arriver || mode == reduction::block ? 1 : slices; }
};

/// Cuts k so that the first slices of so many tiles take as long as the others on the slots that these leave, each of
/// which takes about as long as another block_k besides. False if k is too short.
inline bool share_out(std::int64_t k, int block_k, std::int64_t cut_tiles, std::int64_t slots, split_plan& plan) {
  std::int64_t const steps = tiles(k, block_k), others = plan.slices - 1;
  std::int64_t const rounds = tiles(cut_tiles * others, slots);  // of the others on those slots
  std::int64_t const depth = (steps - rounds) / (rounds + others), first = steps - depth * others;
  if (depth < 1 || first > (1 << 30) / block_k) {
    return false;
  }
  plan.depth = static_cast<int>(depth * block_k);
  plan.first_longer = static_cast<int>((first - depth) * block_k);
  return true;
}

/// The plan for the columns of tiles that do not fill the device's multiprocessors, if there are any.
template <class Problem>
[[gnu::noinline]] split_plan plan_stream(compiled_kernel const& kernel, Problem const& p, split_plan plan) {
  int const multiprocessors = multiprocessors_of_call();
  std::int64_t const rows = tiles(p.m, kernel.block_m * kernel.cluster_m) * p.batch_count,
                     columns = tiles(p.n, kernel.block_n);
  if (multiprocessors == 0 || rows > (std::int64_t{1} << 31) || columns > (std::int64_t{1} << 31)) {
    return {};
  }
  std::int64_t const slots = std::int64_t{multiprocessors} * kernel.min_blocks;
  std::int64_t const whole = rows * columns / slots * slots / rows, left = rows * columns % slots;
  plan.first_tile_n = static_cast<int>(whole);
  constexpr std::int64_t most_blocks = 0x7fffffff;
  std::int64_t const cut = rows * (columns - whole);
  if (left == 0 || whole * rows > most_blocks || cut * plan.slices > most_blocks - whole * rows ||
      !share_out(p.k, kernel.block_k, cut, slots - left, plan)) {
    return {};
  }
  plan.whole_tiles = static_cast<int>(whole * rows);
  plan.cut_tiles = static_cast<int>(cut);
  std::int64_t const elements = std::int64_t{plan.slices} * kernel.block_m * kernel.block_n;  // of a tile's slices
  plan.arrivals_begin =
      static_cast<std::size_t>(cut) * static_cast<std::size_t>(elements) * sizeof(typename Problem::accum);
  plan.bytes = plan.arrivals_begin + static_cast<std::size_t>(cut) * sizeof(unsigned long long);
  return plan;
}

/// The plan for at most this many slices of whole block_k (more only where k exceeds 2^30 of each, which a cluster then
/// leaves whole), or for as many of a given depth. They depend on k alone, so that a row of C does not depend on how
/// many other rows there are. A batch that needs the third dimension of the grid itself is not split.
template <class Problem>
[[gnu::noinline]] split_plan plan_split(compiled_kernel const& kernel, Problem const& p, slicing const& slices) {
  int const most = slices.most;
  std::int64_t const longest = (1 << 30) / kernel.block_k;  // a slice's depth is an int
  std::int64_t const steps = tiles(p.k, kernel.block_k),
                     wanted = slices.depth > 0 ? slices.depth / kernel.block_k
                              : most > 1       ? tiles(steps, most)
                                               : steps,
                     per_slice = most > 1 && wanted > longest ? longest : wanted;
  if (steps <= per_slice || (p.batch_count > most_of_grid_y && slices.mode != reduction::block)) {
    return {};
  }
  using accum = typename Problem::accum;
  constexpr int width = widest<accum>;
  split_plan plan{.mode = slices.mode,
                  .slices = static_cast<int>(lesser<std::int64_t>(tiles(steps, per_slice), 0x7fffffff)),
                  .depth = static_cast<int>(per_slice * kernel.block_k),
                  .rows = p.m,
                  .ld = tiles(p.n, width) * width};
  if (kernel.slices_in_fragments) {
    int const m = kernel.block_m * kernel.cluster_m, n = kernel.block_n * kernel.cluster_n;
    plan.rows = tiles(p.m, m) * m;
    plan.ld = tiles(p.n, n) * n;
  }
  if (plan.mode == reduction::block) {
    return plan;
  }
  constexpr int most_blocks = 8;  // of a cluster, on every device that has clusters
  if (plan.mode == reduction::cluster) {
    return plan.slices <= lesser(most, most_blocks) ? plan : split_plan{};
  }
  if (plan.mode == reduction::last_arriver) {
    return plan.slices == most ? plan_stream(kernel, p, plan) : split_plan{};
  }
  double const bytes = static_cast<double>(p.batch_count) * plan.slices * static_cast<double>(plan.rows) *
                       static_cast<double>(plan.ld) * sizeof(accum);
  plan.bytes = bytes < 1e18
                   ? static_cast<std::size_t>(p.batch_count * plan.slices * plan.rows * plan.ld) * sizeof(accum)
                   : (std::numeric_limits<std::size_t>::max)();  // which no device has
  return plan;
}

/// Whether grids can have the slices of a plan, and the blocks that add them. plan_split() checks the batch.
template <class Problem>
[[gnu::noinline]] status check_slices(split_plan const& plan) {
  bool const added = plan.mode == reduction::workspace;
  if (added && plan.slices > most_of_grid_z) {
    return broken_rule("k is cut into %d slices, more than the 65535 of a grid", plan.slices);
  }
  double const elements = static_cast<double>(plan.rows) * static_cast<double>(plan.ld);
  if (added && elements > static_cast<double>(most_of_grid_x * added_by_block<Problem>(plan.slices))) {
    return broken_rule("to add %d slices of %lld x %lld takes more than the 2^31 - 1 blocks of a grid", plan.slices,
                       static_cast<long long>(plan.rows), static_cast<long long>(plan.ld));
  }
  return {};
}

}  // namespace gemm::detail
