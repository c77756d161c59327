// SPDX-License-Identifier: BSL-1.0
//! @file
//! How many tiles of C fp16x3 computes as they are, how many as narrow ones, and what is split beside those.
#pragma once

#include <cstdint>
#include <utility>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/cluster_reduce.cuh>
#include <gemm/emulation/enqueue_fallback.cuh>
#include <gemm/emulation/equilibrated.cuh>
#include <gemm/emulation/kernel.cuh>
#include <gemm/emulation/narrow_tail.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/extremes.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// The works of clusters, how many clusters the device holds, and how many waves of whole tiles take as long.
struct tile_plan {
  narrow_tail tail{};
  int tiles_m = 0, tiles_n = 0;
  std::int64_t held = 1;
  double waves = 0;
  int slices = 1;  // of k

  std::int64_t clusters() const { return lesser(std::int64_t{tail.whole} + tail.narrow, held); }
};

/// Whole tiles alone.
template <class Policy, class Problem>
tile_plan plan_whole_tiles(Problem const& p, std::int64_t held) {
  std::int64_t const rows = tiles(p.m, cluster_tile<Policy>::block_m),
                     columns = tiles(p.n, cluster_tile<Policy>::block_n), all = rows * columns * p.batch_count;
  auto const whole = static_cast<unsigned>(all);
  return {.tail = {.whole = whole, .narrow = 0, .first = whole, .columns = 0, .only_narrow = false},
          .tiles_m = static_cast<int>(rows),
          .tiles_n = static_cast<int>(columns),
          .held = held,
          .waves = static_cast<double>(tiles(all, held))};
}

/// Narrow tiles for what whole ones leave of the last wave, and for columns that do not fill one, where that is
/// shorter.
template <class Policy, class Problem>
tile_plan plan_narrow_tiles(Problem const& p, int multiprocessors) {
  constexpr int narrow_n = Policy::narrow_n * Policy::cluster_n, in_whole = Policy::block_n / Policy::narrow_n;
  constexpr double narrow_wave = 0.25 + 0.9 / in_whole;
  std::int64_t const held = greater(multiprocessors / (Policy::cluster_m * Policy::cluster_n), 1);
  tile_plan plan = plan_whole_tiles<Policy>(p, held);
  if constexpr (in_whole > 1) {
    constexpr std::int64_t width = cluster_tile<Policy>::block_n;
    std::int64_t const rows = plan.tiles_m, full_columns = p.n / width, full = rows * full_columns * p.batch_count,
                       rest_columns = tiles(p.n - full_columns * width, narrow_n), in_waves = full / held * held,
                       narrow = (full - in_waves) * in_whole + rows * rest_columns * p.batch_count;
    double const waves = static_cast<double>(in_waves / held) + narrow_wave * static_cast<double>(tiles(narrow, held));
    if (waves < plan.waves) {
      plan.tail = {.whole = static_cast<unsigned>(in_waves),
                   .narrow = static_cast<unsigned>(narrow),
                   .first = static_cast<unsigned>(in_waves),
                   .columns = static_cast<int>(rest_columns),
                   .only_narrow = false};
      plan.tiles_n = static_cast<int>(full_columns);
      plan.waves = waves;
    }
  }
  return plan;
}

/// How many clusters of so many blocks, one on a multiprocessor, a device holds.
inline std::int64_t held_clusters(int blocks, int multiprocessors) {
  return greater(static_cast<std::int64_t>(tables::cluster_slots(blocks, 1, multiprocessors) / blocks),
                 std::int64_t{1});
}

/// Into how many slices k is cut: as many as fill the device, but no more than have a chunk.
template <class Policy, class Problem>
int plan_slices(Problem const& p, int multiprocessors) {
  std::int64_t const all = tiles(p.m, Policy::block_m) * tiles(p.n, Policy::block_n) * p.batch_count,
                     chunks = tiles(p.k, chunk_depth);
  std::int64_t slices = greater(Policy::fixed_slices, 1);
  for (int more = 2; Policy::fixed_slices == 0 && more <= Policy::most_slices; ++more) {
    slices = all <= held_clusters(more, multiprocessors) ? more : slices;
  }
  return static_cast<int>(lesser(greater(chunks, std::int64_t{1}), slices));
}

template <class Policy, class Problem>
tile_plan plan_tiles(Problem const& p, int multiprocessors) {
  if constexpr (cuts_k<Policy>) {
    int const slices = plan_slices<Policy>(p, multiprocessors);
    std::int64_t const chunks = tiles(p.k, chunk_depth), depth = greater(tiles(chunks, slices), std::int64_t{1});
    tile_plan plan = plan_whole_tiles<Policy>(p, held_clusters(slices, multiprocessors));
    plan.slices = static_cast<int>(greater(tiles(chunks, depth), std::int64_t{1}));  // none without a chunk
    return plan;
  } else {
    return plan_narrow_tiles<Policy>(p, multiprocessors);
  }
}

/// The schedule of the whole tiles.
template <class Policy, class Problem>
schedule schedule_of_tiles(Problem const& p, tile_plan const& plan) {
  auto const chunks = static_cast<int>(tiles(p.k, chunk_depth));
  return {.order = cuts_k<Policy> ? tile_order::single_tile : tile_order::persistent,
          .mode = plan.slices > 1 ? reduction::cluster : reduction::none,
          .tiles_m = plan.tiles_m,
          .tiles_n = plan.tiles_n,
          .batches = static_cast<int>(p.batch_count),
          .band = cluster_tile<Policy>::band,
          .k_tiles = chunks,
          .slices = plan.slices,
          .depth = static_cast<int>(tiles(chunks, plan.slices))};
}

/// The column of B from which on narrow tiles need it, of a single product.
template <class Policy, class Problem>
std::int64_t first_narrow_column(Problem const& p, tile_plan const& plan) {
  schedule const s = schedule_of_tiles<Policy>(p, plan);
  int first = plan.tiles_n;
  for (unsigned i = plan.tail.first; i < tiles_of(s, s.tiles_n); ++i) {
    work w;
    locate_tile(s, w, {i, 0, s.tiles_n});
    first = lesser(first, w.tile_n);
  }
  return lesser(std::int64_t{first} * cluster_tile<Policy>::block_n, p.n);
}

/// How many columns of B are split while narrow tiles, which do not need them, are computed on some multiprocessors
/// before all others; or 0.
///
/// `checks`: the product may be refused, which is known only when all of B is split. Then C must be one that may be
/// written twice.
template <class Policy, class Problem>
std::int64_t overlapped_columns(Problem const& p, fp16x3_plan const& terms, tile_plan const& plan, bool checks) {
  constexpr double least_bytes = 200e3;  // of a multiprocessor, for which a launch more pays
  bool const twice = !checks || (p.beta == 0 && stores_plainly<Problem>);
  std::int64_t const narrow = plan.tail.narrow;
  if (!twice || p.batch_count != 1 || p.k == 0 || plan.tail.whole == 0 || narrow == 0 || 3 * narrow > 2 * plan.held ||
      terms.b.prepacked != nullptr || terms.cluster > 0) {
    return 0;
  }
  static_assert(cluster_tile<Policy>::block_n % split_tile == 0, "gemm: lines are split 64 by 64.");
  std::int64_t const columns = first_narrow_column<Policy>(p, plan);
  double const bytes = 8.0 * static_cast<double>(columns) * static_cast<double>(padded_depth(p.k));
  constexpr int clustered = Policy::cluster_m * Policy::cluster_n;
  return bytes < least_bytes * clustered * static_cast<double>(plan.held) ? 0 : columns;
}

/// The product of which a product's C is the transpose. Scales remain with the rows and columns of C.
template <class Problem>
Problem with_sides_swapped(Problem p) {
  std::swap(p.m, p.n);
  std::swap<strided<float const>>(p.a, p.b);
  p.swapped_ab = !p.swapped_ab;
  return p;
}

/// Whether rows of A are to be split beside narrow tiles, not columns of B: where those are prepacked, or take less
/// time. Then the kernel computes the transpose of C, with the same accumulators bit for bit.
template <class Policy, class Problem>
bool swaps_sides(Problem const& p, fp16x3_plan const& terms, int multiprocessors, bool checks) {
  if (terms.a.prepacked != nullptr || (terms.b.prepacked == nullptr && (terms.a.by_k || !terms.b.by_k)) ||
      p.beta != 0 || !stores_plainly<Problem>) {
    return false;
  }
  fp16x3_plan swapped = terms;
  std::swap(swapped.a, swapped.b);
  Problem const other = with_sides_swapped(p);
  tile_plan const shares = plan_narrow_tiles<Policy>(other, multiprocessors);
  return shares.waves <= plan_narrow_tiles<Policy>(p, multiprocessors).waves &&
         overlapped_columns<Policy>(other, swapped, shares, checks) > 0;
}

/// How the kernels of a product are launched whose terms are planned.
struct emulated_launch {
  tile_plan tiling{};
  bool transposed = false;              // the kernel computes the transpose of C
  std::int64_t overlapped_columns = 0;  // see overlapped_columns()
  split_plan fallback{};                // of a product that is refused
};

template <class Policy, class Problem>
static emulated_launch plan_emulated_launch(Problem p, fp16x3_plan terms, int multiprocessors) {
  constexpr bool overlaps_split = !is_equilibrated<Policy> && !cuts_k<Policy>;
  emulated_launch layout;
  if constexpr (checks_bound<Policy>) {
    layout.fallback = plan_fallback<Policy>(p, multiprocessors);
  }
  if constexpr (overlaps_split) {
    layout.transposed =
        current_code().dependent_launch && swaps_sides<Policy>(p, terms, multiprocessors, checks_bound<Policy>);
  }
  if (layout.transposed) {
    p = with_sides_swapped(p);
    std::swap(terms.a, terms.b);
  }
  layout.tiling = plan_tiles<Policy>(p, multiprocessors);
  if constexpr (overlaps_split) {
    layout.overlapped_columns =
        current_code().dependent_launch ? overlapped_columns<Policy>(p, terms, layout.tiling, checks_bound<Policy>) : 0;
  }
  return layout;
}

}  // namespace gemm::detail
