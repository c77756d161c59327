// SPDX-License-Identifier: BSL-1.0
//! @file
//! How many tiles of C fp16x3 computes as they are, how many as narrow ones, and what is taken apart beside those.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/emulation/tiles.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// The tiles of clusters, how many clusters the device holds, and how many waves of whole tiles take as long.
struct share_plan {
  tile_shares shares{};
  int tiles_m = 0, tiles_n = 0;
  std::int64_t held = 1;
  double waves = 0;
  int slices = 1;  // of k

  std::int64_t all() const { return shares.whole + shares.narrow; }
};

/// Narrow tiles for what whole ones leave of the last wave, and for columns that do not fill one, where that is
/// shorter.
template <class Policy, class Problem>
share_plan plan_shares(Problem const& p, int multiprocessors) {
  using whole = cluster_tile<Policy>;
  constexpr int narrow_n = Policy::narrow_n * Policy::cluster_n, in_whole = Policy::block_n / Policy::narrow_n;
  constexpr double narrow_wave = 0.25 + 0.9 / in_whole;
  std::int64_t const held = (std::max)(multiprocessors / (Policy::cluster_m * Policy::cluster_n), 1),
                     rows = tiles(p.m, whole::block_m), columns = tiles(p.n, whole::block_n),
                     all = rows * columns * p.batch_count;
  auto const wave_count = [&](std::int64_t count) { return static_cast<double>(tiles(count, held)); };
  share_plan plan{.shares = {.whole = all, .narrow = 0, .cut = all, .rest_columns = 0, .only_narrow = false},
                  .tiles_m = static_cast<int>(rows),
                  .tiles_n = static_cast<int>(columns),
                  .held = held,
                  .waves = wave_count(all)};
  if constexpr (in_whole > 1) {
    std::int64_t const full_columns = p.n / whole::block_n, full = rows * full_columns * p.batch_count,
                       rest_columns = tiles(p.n - full_columns * whole::block_n, narrow_n),
                       in_waves = full / held * held,
                       narrow = (full - in_waves) * in_whole + rows * rest_columns * p.batch_count;
    double const waves = wave_count(in_waves) + narrow_wave * wave_count(narrow);
    if (waves < plan.waves) {
      plan.shares = {.whole = in_waves,
                     .narrow = narrow,
                     .cut = in_waves,
                     .rest_columns = static_cast<int>(rest_columns),
                     .only_narrow = false};
      plan.tiles_n = static_cast<int>(full_columns);
      plan.waves = waves;
    }
  }
  return plan;
}

/// Whether a policy's blocks have a slice of k each.
template <class Policy>
inline constexpr bool cuts_k = Policy::info.sliced;

/// How many clusters of so many blocks, one on a multiprocessor, a device holds.
inline std::int64_t held_clusters(int blocks, int multiprocessors) {
  return (std::max)(static_cast<std::int64_t>(tables::cluster_places(blocks, 1, multiprocessors) / blocks),
                    std::int64_t{1});
}

/// Into how many slices k is cut: as many as fill the device, but no more than have a chunk.
template <class Policy, class Problem>
int plan_slices(Problem const& p, int multiprocessors) {
  std::int64_t const all = tiles(p.m, Policy::block_m) * tiles(p.n, Policy::block_n) * p.batch_count,
                     chunks = padded_depth(p.k) / chunk_depth;
  if (Policy::fixed_slices > 0) {
    return static_cast<int>(std::clamp(chunks, std::int64_t{1}, std::int64_t{Policy::fixed_slices}));
  }
  int slices = 1;
  for (int more = 2; more <= Policy::most_slices && more <= chunks; ++more) {
    slices = all <= held_clusters(more, multiprocessors) ? more : slices;
  }
  return slices;
}

/// The same for any policy.
template <class Policy, class Problem>
share_plan plan_launch(Problem const& p, int multiprocessors) {
  if constexpr (cuts_k<Policy>) {
    std::int64_t const rows = tiles(p.m, Policy::block_m), columns = tiles(p.n, Policy::block_n),
                       all = rows * columns * p.batch_count;
    int const slices = plan_slices<Policy>(p, multiprocessors);
    std::int64_t const held = held_clusters(slices, multiprocessors);
    return {.shares = {.whole = all, .narrow = 0, .cut = all, .rest_columns = 0, .only_narrow = false},
            .tiles_m = static_cast<int>(rows),
            .tiles_n = static_cast<int>(columns),
            .held = held,
            .waves = static_cast<double>(tiles(all, held)),
            .slices = slices};
  } else {
    return plan_shares<Policy>(p, multiprocessors);
  }
}

/// The column of B from which on narrow tiles need it, of a single product.
template <class Policy, class Problem>
std::int64_t first_narrow_column(Problem const& p, share_plan const& plan) {
  std::int64_t first = std::int64_t{plan.tiles_n} * cluster_tile<Policy>::block_n;
  for (std::int64_t i = plan.shares.cut; i < std::int64_t{plan.tiles_m} * plan.tiles_n; ++i) {
    first = (std::min)(
        first, tile_in_columns<cluster_tile<Policy>>(plan.tiles_m, 0, plan.tiles_n, static_cast<int>(i), 0).column);
  }
  return (std::min)(first, p.n);
}

/// How many columns of B are taken apart while narrow tiles, which do not need them, are computed before all others: 0
/// where that is not so. They leave multiprocessors idle, which have time for it then (H200, nt, at its
/// power limit: 4096^3 in 703 us, 719 without; 2048^3 in 111.3, 113.1).
///
/// `checks`: the product may be refused, which is known only when all of B is taken apart. Then C must be one that may
/// be written twice.
template <class Policy, class Problem>
std::int64_t columns_beside(Problem const& p, fp16x3_plan const& parts, share_plan const& plan, bool checks) {
  constexpr double least_bytes = 200e3;  // of a multiprocessor, for which a launch more pays
  bool const twice = !checks || (p.beta == 0 && stores_plainly<Problem>);
  if (!twice || p.batch_count != 1 || p.k == 0 || plan.shares.whole == 0 || plan.shares.narrow == 0 ||
      3 * plan.shares.narrow > 2 * plan.held || parts.b.prepacked != nullptr || parts.cluster > 0) {
    return 0;
  }
  static_assert(cluster_tile<Policy>::block_n % split_tile == 0, "gemm: lines are taken apart 64 by 64.");
  std::int64_t const columns = first_narrow_column<Policy>(p, plan);
  double const bytes = 8.0 * static_cast<double>(columns) * static_cast<double>(padded_depth(p.k));
  constexpr int clustered = Policy::cluster_m * Policy::cluster_n;
  return bytes < least_bytes * clustered * static_cast<double>(plan.held) ? 0 : columns;
}

/// The product of which a product's C is the transpose.
template <class Problem>
Problem with_sides_swapped(Problem p) {
  std::swap(p.m, p.n);
  std::swap(p.a, p.b);
  p.turned = !p.turned;
  return p;
}

/// Whether rows of A are to be taken apart beside narrow tiles, not columns of B: where those are prepacked, or take
/// less time. Then the kernel is given the product of which C is the transpose, with the same sums bit for bit (H200,
/// at its power limit: 4096^3 with B prepacked 686 -> 671 us, tt 719 -> 711).
template <class Policy, class Problem>
bool swaps_sides(Problem const& p, fp16x3_plan const& parts, int multiprocessors, bool checks) {
  if (parts.a.prepacked != nullptr || (parts.b.prepacked == nullptr && (parts.a.by_k || !parts.b.by_k)) ||
      p.beta != 0 || !stores_plainly<Problem>) {
    return false;
  }
  fp16x3_plan swapped = parts;
  std::swap(swapped.a, swapped.b);
  Problem const other = with_sides_swapped(p);
  share_plan const shares = plan_shares<Policy>(other, multiprocessors);
  return shares.waves <= plan_shares<Policy>(p, multiprocessors).waves &&
         columns_beside<Policy>(other, swapped, shares, checks) > 0;
}

}  // namespace gemm::detail
