// SPDX-License-Identifier: BSL-1.0
//! @file
//! The loader of wgmma's kernels: TMA fills the stages of the ring with the tiles of a work.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/collective/mma_wgmma.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Loads nothing beside a stage's tiles.
struct load_no_scales {
  template <class Storage>
  __device__ static void load(Storage&, int) {}
};

/// Loads the tiles of a work, or the block's share of what the cluster's blocks have in common. By one thread, or by a
/// warp that loads scales, too, whose first lane leads.
template <class Policy, class Problem>
struct load_tma {
  using block_type = wgmma_block<Policy, Problem>;
  using tiles = product_tiles<Policy, Problem>;
  using a = typename tiles::a;
  using b = typename tiles::b;
  static constexpr int shares_a = Policy::cluster_n, shares_b = Policy::cluster_m;
  static constexpr bool of_ranges = is_ragged_k_problem<Problem>;
  static constexpr int most_a = a::template most<shares_a>, most_b = b::template most<shares_b>;
  /// Whether half of the ring may be loaded at once, for few rows: of many rows the L2 does not prefetch.
  static constexpr bool has_halves = !Policy::is_persistent && tiles::first::by_k && Policy::stages % 2 == 0;
  /// Inner tiles apart, so that they have constants; but not in the largest tiles, for which ptxas spills. Of few rows
  /// all are loaded: the zeros are few, and another tensor map takes as long.
  static constexpr bool has_edges = detail::has_edges<Problem> && Policy::is_persistent,
                        separate = loads_inner_tiles_apart<Problem> && Policy::block_m * Policy::block_n <= 32768;

  /// Scales are loaded after the kernel before, and beside each stage.
  template <class Scales>
  static constexpr bool may_be_early = std::is_same_v<Scales, load_no_scales>;

  template <class Scales>
  __device__ static void run(block_type const& block, work const& w, ring_position<Policy::stages>& position,
                             bool leads, Scales scales) {
    auto const& loads = block.loads(w);
    auto const& p = loads.problem;
    block_tile const tile = block.tile(w);
    if (has_edges && (!separate || tile.row + Policy::block_m > p.m || tile.column + Policy::block_n > p.n)) {
      run_with<1>(block, w, tile, position, leads, scales,
                  loaded_a(loads, tile.row, tile.row + Policy::block_m, most_a),
                  loaded_b(loads, tile.column, tile.column + Policy::block_n, most_b));
      return;
    }
    if constexpr (has_halves) {
      if (are_many_lines(tiles::swaps ? p.n : p.m)) {
        run_with<Policy::stages / 2>(block, w, tile, position, leads, scales, {loads.a, most_a}, {loads.b, most_b});
        return;
      }
    }
    run_with<1>(block, w, tile, position, leads, scales, {loads.a, most_a}, {loads.b, most_b});
  }

 private:
  /// Constant operands fill the ring before the kernel before has ended, the others complete it afterwards. Returns the
  /// stages that are filled, and moves `k` behind them.
  template <class LoadA, class LoadB>
  __device__ static int fill_early(constant_operands const& constant, arch::mbarrier (&full)[Policy::stages],
                                   int k_tiles, int bytes, int& k, LoadA const& load_a, LoadB const& load_b) {
    arch::launch_dependents();
    int const first = k, early = k_tiles < Policy::stages ? k_tiles : Policy::stages;
    for (int stage = 0; stage < early; ++stage, k += Policy::block_k) {
      arch::mbarrier_arrive_expect_tx(full[stage], static_cast<std::uint32_t>(bytes));
      if (constant.b) {
        load_b(stage);
      }
      if (constant.a) {
        load_a(stage);
      }
    }
    if (!constant.all()) {
      arch::wait_for_dependency();
      k = first;
      for (int stage = 0; stage < early; ++stage, k += Policy::block_k) {
        if (constant.a) {
          load_b(stage);
        } else {
          load_a(stage);
        }
      }
    }
    return early;
  }

  /// Waits for so many stages at once: a constant, since what the loop does for each tile delays few rows.
  template <int Together, class Scales>
  __device__ static void run_with(block_type const& block, work const& w, block_tile const& tile,
                                  ring_position<Policy::stages>& position, bool leads, Scales& scales,
                                  loaded const& from_a, loaded const& from_b) {
    auto& shared = block.shared;
    auto const& rank = block.rank;
    auto const& p = block.problem(w);
    int const row = static_cast<int>(tile.row), column = static_cast<int>(tile.column),
              batch = static_cast<int>(tile.batch);
    int const batch_a = p.a.batch_stride == 0 ? 0 : batch, batch_b = p.b.batch_stride == 0 ? 0 : batch;
    // The operands of slices and of few rows are most often read once. But a ring of few stages asks for the second
    // half of the 256 bytes that the L2 reads at once only after their eviction.
    bool const once =
        !of_ranges &&
        (Policy::is_persistent ? supports_slices<Policy, Problem> && w.mode != reduction::none : Policy::stages >= 4);
    bool const once_a = once && p.tiles_n == 1, once_b = once && p.tiles_m == 1;
    // A block whose tile lies outside C loads only what the others share: TMA is slow to fill in the rest's zeros.
    bool const loads_a = shares_a > 1 || shares_b == 1 || tile.row < p.m;
    bool const loads_b = shares_b > 1 || shares_a == 1 || tile.column < p.n;
    int const bytes = (loads_a ? a::template bytes_of<shares_a>(from_a.count) : 0) +
                      (loads_b ? b::template bytes_of<shares_b>(from_b.count) : 0);
    using k_of = std::conditional_t<of_ranges, k_of_range, k_of_matrix>;
    k_of const of_k(p, w.batch);
    int k_tile = w.k_begin * tiles::stages_of_k, k = k_tile * Policy::block_k;
    int const end = k_tile + w.k_tiles * tiles::stages_of_k;
    auto const load_a = [&](int stage) {
      if (loads_a) {
        a::template load_part<shares_a>(shared.a[stage], from_a.map, shared.full[stage], row,
                                        of_k.template row<Policy::block_k>(k), of_k.matrix(k, batch_a), rank.n,
                                        rank.sharing_a(), once_a, from_a.count);
      }
    };
    auto const load_b = [&](int stage) {
      if (loads_b) {
        b::template load_part<shares_b>(shared.b[stage], from_b.map, shared.full[stage], column,
                                        of_k.template row<Policy::block_k>(k), of_k.matrix(k, batch_b), rank.m,
                                        rank.sharing_b(), once_b, from_b.count);
      }
    };
    if constexpr (!Policy::is_persistent) {
      if (!may_be_early<Scales> || !p.constant.any()) {
        arch::wait_for_dependency();  // for who writes the operands
        arch::launch_dependents();
      } else {
        int const early = fill_early(p.constant, shared.full, w.k_tiles, bytes, k, load_a, load_b);
        k_tile += early;
        position.phase = 1;  // of the next round, which begins where tiles are left
      }
    }
    for (; k_tile < end; ++k_tile, k += Policy::block_k, position.advance()) {
      int const stage = position.stage;
      arch::mbarrier& full = shared.full[stage];
      // For the consumers, those of the blocks that get what this one loads included, to have read the last tiles.
      if (stage % Together == 0) {
        arch::mbarrier_wait_parity(shared.empty[stage + Together - 1], position.phase ^ 1);
      }
      if (leads) {
        arch::mbarrier_arrive_expect_tx(full, static_cast<std::uint32_t>(bytes));
        if constexpr (Policy::is_persistent) {
          load_a(stage);
          load_b(stage);
        } else {
          load_b(stage);
          load_a(stage);
        }
      }
      scales.load(shared, stage);
    }
  }
};

}  // namespace gemm::detail
