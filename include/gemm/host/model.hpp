// SPDX-License-Identifier: BSL-1.0
//! @file
//! How long a policy will take for a problem: a model of waves and bandwidth.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/host/choice.hpp>
#include <gemm/host/copy_rates.hpp>
#include <gemm/host/device_rates.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/one_wave.hpp>
#include <gemm/host/repack.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/host/tensor_core_lines.hpp>
#include <gemm/kernel/outer_product.cuh>
#include <gemm/kernel/small.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Multiply-adds of a multiprocessor in a clock: in float, half as many in double and in integers, 16 times as many on
/// the tensor cores.
template <class Policy, class Accum>
inline constexpr double multiply_adds_per_clock = [] {
  if constexpr (takes_any_storage<Policy>) {
    return 2048.0;
  } else {
    return std::is_integral_v<Accum> ? 64.0 : 128.0 * 4 / sizeof(Accum);
  }
}();

/// `resident` for the blocks of a plan: of tensor_core those that add slices have one tile each.
template <class Policy, class Problem>
int resident_of(split_plan const& plan) {
  if constexpr (requires { Policy::tile_resident; }) {
    return plan.slices > 1 && plan.by == addition::cluster ? Policy::tile_resident : resident<Policy, Problem>;
  } else {
    return resident<Policy, Problem>;
  }
}

template <class Policy, class Problem>
double blocks_of(Problem const& p) {
  constexpr int along_m = blocks_along_m<Policy>, along_n = blocks_along_n<Policy>;  // of whole clusters
  return static_cast<double>(tiles_along_m<Policy>(p)) * static_cast<double>(tiles(p.n, Policy::block_n * along_n)) *
         (along_m * along_n) * static_cast<double>(tiles(p.batch_count, batch_per_block<Policy>));
}

/// The model. Blocks come in waves of as many as the multiprocessors hold, and each multiprocessor works off its share
/// at the policy's efficiency, `efficiency_alone` a block, `efficiency` at most, after an `overhead` of seconds for
/// each block of its own. The whole takes no less than moving A, B and C once, after the first block's overhead, and a
/// launch, which takes longer where it does not overlap the end of the kernel before. With k split, there are besides
/// either another launch and the slices' way through the L2 and back, or their way between the blocks of a cluster.
///
/// Rates are an H200's (1.98 GHz); for the choice, only their ratios matter. They and the float policies' figures are
/// fitted to measurements of all candidates on about 800 shapes, nn and nt. On 177 others, random ones and such as were
/// slow, what was chosen was within 3 % of the best candidate 153 times (H200, before they were fitted to, too).
template <class Policy, class Problem>
[[gnu::cold]] choice predict(Problem const& p, int multiprocessors, split_plan const& plan) {
  using accum = typename Problem::accum;
  constexpr double per_clock = multiply_adds_per_clock<Policy, accum>;
  constexpr double multiply_adds = 1.98e9 * per_clock;
  constexpr device_rates rates = takes_any_storage<Policy> ? tensor_rates : fma_rates;
  constexpr double block_elements = double{Policy::block_m} * Policy::block_n * batch_per_block<Policy>;
  double const m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  double const whole_k = multiplied_k<Policy>(p);
  double const depth = plan.slices > 1 ? static_cast<double>(plan.depth) : whole_k;
  double const batch = static_cast<double>(p.batch_count);

  bool const wide = [&] {
    if constexpr (uses_tma<Policy>) {
      return true;  // or it would have been packed
    } else {
      return reads_wide<Policy>(p);
    }
  }();

  using copies = copy_model<Policy, Problem>;
  if constexpr (is_outer_product<Policy>) {
    double const each = blocks_of<Policy>(p) / multiprocessors;
    return {
        .policy = name<Policy>(), .seconds = rates.launch + seconds_of_outer_products<Policy>(p, each), .waves = each};
  }

  double const overhead = copies::overhead(wide) + waits_for_pieces<Policy>(k, blocks_of<Policy>(p) / multiprocessors);

  // Seconds of a multiprocessor for so many blocks at a time.
  auto const seconds_of = [&](double blocks, double deep) {
    constexpr double rate = multiply_adds * line_cost<Policy, Problem>::rate;
    return blocks * (overhead + block_elements * deep / (rate * copies::efficiency(blocks, wide)));
  };
  double const tiles_of_c = blocks_of<Policy>(p), blocks = tiles_of_c * plan.slices;
  bool const clustered = plan.slices > 1 && plan.by == addition::cluster;
  int const held = resident_of<Policy, Problem>(plan);
  auto const room = [&](int blocks_each) {
    return clustered ? room_for_clusters(plan.slices, blocks_each, multiprocessors)
                     : room_for_blocks<blocks_along_m<Policy> * blocks_along_n<Policy>>(blocks_each, multiprocessors);
  };
  double arithmetic = 0, rounds = 1;  // of blocks that follow one another on a multiprocessor
  if (plan.streams() && shares_tiles<Policy>) {
    double const owned = static_cast<double>(plan.depth) + steps_of_sums * Policy::block_k;
    rounds = std::ceil(tiles_of_c / room(held));
    arithmetic = (rounds - 1) * seconds_of(held, whole_k) + seconds_of(held, owned);
  } else if (plan.streams()) {  // the first slices of the last tiles end last
    double const places = room(held), first = static_cast<double>(plan.depth) + plan.first_longer;
    rounds = std::ceil(tiles_of_c / places);
    arithmetic = (rounds - 1) * seconds_of(held, whole_k) + seconds_of(held, first);
    double const crowd = static_cast<double>(plan.cut_tiles) * plan.slices / places - 1;  // of slices at a place
    arithmetic += std::max(crowd, 0.0) * held * rates.stream_slice * Policy::overhead;
  } else if (plan.tail) {  // shared out evenly, but for half a slice; or all slices at once
    double const places = room_for_clusters(1, held, multiprocessors);
    double const whole = plan.first_tile_n * static_cast<double>(tiles_along_m<Policy>(p)) * batch;
    double const cut = (tiles_of_c - whole) * plan.slices / room(held);
    constexpr double late = block_elements > 8192 ? 1 : 0.5;
    bool const at_once = cut <= 1 && block_elements > 2048 && block_elements <= 8192;
    rounds = std::ceil(cut);
    arithmetic = whole / places * seconds_of(held, whole_k) + (at_once ? 1.15 : cut + late) * seconds_of(held, depth);
  } else {
    double const full_waves = std::floor(blocks / room(held)), rest = blocks - full_waves * room(held);
    rounds = std::ceil(blocks / room(held));
    // The first blocks are spread evenly: in clusters as blocks_each() says, those of the tensor cores' small tiles
    // even where that gives some multiprocessors three. Later ones come where others leave: often two together, which
    // began together, but apart where k is long. Where many blocks share a multiprocessor, clusters leave no gaps, but
    // seldom find just the last places.
    constexpr bool tensor = takes_any_storage<Policy>;
    constexpr bool narrow_tile = block_elements <= 1024 && Policy::block_m > Policy::block_n;
    constexpr double evenly = block_elements > 2048 || narrow_tile ? 1e9 : block_elements > 1024 ? 3 : 2;
    bool const gaps = held <= 2 || (block_elements <= 2048 && !narrow_tile);
    double const each = rest / (gaps ? room(1) : multiprocessors), packed = held < 2 ? 1 : 2;
    double const nearly = plan.slices == 5 ? 0.25 : 0.05;
    double const missed = clustered && !gaps && !narrow_tile && std::ceil(each) - each < nearly ? 0.5 : 0;
    double const spread = tensor ? std::min<double>(clustered && each > evenly ? each : std::ceil(each) + missed, held)
                          : full_waves == 0 && clustered ? blocks_each(blocks, plan.slices, held, multiprocessors)
                                                         : std::min<double>(std::ceil(each), held);
    double const last = full_waves == 0 || each < 0.2 || spread > packed ? spread : packed;
    double const later = full_waves > 0 ? (full_waves - 1) * held + (rest > 0 ? last : 0) : 0;
    double const apart = tensor ? 0 : std::clamp((depth - 1100) / 500, 0.0, 1.0);
    double const at_the_end = apart * seconds_of(spread, depth) + (1 - apart) * seconds_of(last, depth);
    arithmetic = full_waves * seconds_of(held, depth) + (rest > 0 ? at_the_end : 0);
    arithmetic -= later * copies::hidden * overhead;
  }
  arithmetic *= slower_by_rows<Policy>(p);
  if constexpr (takes_any_storage<Policy>) {
    arithmetic *= slower_by_lone_rows<Policy>(p) * slower_by_stores<Policy>(p);
    arithmetic = with_turned_tiles<Policy, Problem>(arithmetic) + store_below<Policy>(p);
    if (!aligned_lines(p)) {
      double const brought = plan.tail ? misaligned_seconds<Policy>(p, tiles_of_c, k, multiprocessors)
                                       : misaligned_seconds<Policy>(p, blocks, depth, multiprocessors);
      arithmetic = std::max(arithmetic, Policy::overhead + brought);
    }
  }
  double const bytes =
      batch * ((m * k + k * n) * sizeof(typename Problem::input) + m * n * sizeof(typename Problem::output));
  if constexpr (copies::fitted && copies::k_major) {
    // From memory, not the L2 (H200, nt 128x4096x4096 in 64x64: 145 us, not 130; but not a batch, 200 of 150^3 71).
    arithmetic *= bytes > 4e7 && batch == 1 ? 1.1 : 1;
  }
  double memory = bytes / rates.bandwidth;
  if constexpr (!is_skinny<Policy>) {  // what the blocks' rings can hold bounds what is on its way
    // For a multiprocessor; tensor cores leave little of it waiting to be multiplied.
    constexpr double enough = is_slim<Policy>             ? 66e3
                              : takes_any_storage<Policy> ? 90e3
                              : uses_tma<Policy>          ? 196e3
                                                          : 95e3;
    double const ring = Policy::template shared_bytes<accum>, in_flight = blocks * ring / (enough * multiprocessors);
    double slower = line_cost<Policy, Problem>::more / std::min(in_flight, 1.0);
    if constexpr (takes_any_storage<Policy> && !is_slim<Policy>) {
      // Multiprocessors without a tile in the last wave ask for nothing (an H200, 128x28672x4096: in 128 tiles 64 us,
      // in 224 70, in 150 87). And many lines at the same time, in pieces of 128 bytes, are slower.
      slower = std::max(slower, std::sqrt(std::ceil(blocks / multiprocessors) * multiprocessors / blocks));
      slower *= 1 + 0.09 * std::clamp((std::max(m, n) - 4096) / 12288, 0.0, 1.0);
      // So are those that several blocks ask for at about the same time, unless one brings them for all.
      double const columns = static_cast<double>(tiles(p.n, Policy::block_n * blocks_along_n<Policy>)),
                   rows = static_cast<double>(tiles(p.m, Policy::block_m * blocks_along_m<Policy>));
      double const shared = (m * (1 - 1 / columns) + n * (1 - 1 / rows)) * k * sizeof(typename Problem::input);
      slower *= 1 + 0.32 * batch * shared / bytes;
    }
    memory *= slower;
    if constexpr (is_slim<Policy>) {
      // Multiprocessors have about equal parts of the bandwidth, whether one block or two: some then end late. And more
      // on its way than 12 MB makes memory slower.
      double const most = std::ceil(blocks / multiprocessors);
      double const uneven =
          blocks > multiprocessors && rounds == 1 && ring > 6e4 ? std::sqrt(most * multiprocessors / blocks) : 1;
      double const crowded = std::min(blocks, room(held)) * ring / (90e3 * multiprocessors) - 1;
      memory *= uneven * (1 + 0.04 * std::clamp(crowded, 0.0, 1.0));
      auto const alone = [&](double last) { return seconds_of(std::ceil(last / multiprocessors), depth); };
      memory = in_rounds(memory, blocks, room(held), alone);
    }
  }
  int const each = blocks_each(blocks, clustered ? plan.slices : 1, held, multiprocessors);
  if constexpr (uses_tma<Policy> && !takes_any_storage<Policy>) {  // some multiprocessors have no place in a cluster
    int const most = each > 0 ? each : held;  // H200, 16x4096x4096 in 16x128 tiles and sevens: 24.5 us, not 20.6
    memory *= clustered ? double{1} * most * multiprocessors / room(most) : 1;
  }
  memory *= slower_by_threads<Policy>(blocks, multiprocessors);
  memory = std::max(memory, copies::storing(batch * m * n * sizeof(typename Problem::output))) + overhead;
  // More than two of the smallest tiles on a multiprocessor gain nothing by it.
  bool const late = !waits<Policy> || (!uses_tma<Policy> && block_elements <= 1024 && each > 2);
  double adding = 0;
  if (clustered) {
    adding = rates.first_in_cluster + rates.each_in_cluster * plan.slices +
             block_elements * sizeof(accum) / rates.cluster_bandwidth;
    adding *= 1 + (rounds - 1) / held;  // other blocks multiply meanwhile
  } else if (plan.slices > 1 && !(plan.streams() && shares_tiles<Policy>)) {
    double const there_and_back = 2 * static_cast<double>(plan.bytes);
    double const one_after_another = (plan.slices - 1) * block_elements * sizeof(accum);
    adding = plan.streams() ? rates.stream_addition + there_and_back / rates.stream_bandwidth +
                                  one_after_another / rates.slice_bandwidth
             : slices_in_fragments<Policy, Problem>
                 ? rates.second_launch_of_fragments + there_and_back / rates.fragment_bandwidth
                 : rates.second_launch + rates.slice_round * plan.slices / 32 + there_and_back / rates.l2_bandwidth;
  }
  return {.policy = name<Policy>(),
          .seconds = rates.launch + (late ? rates.late_launch : 0) + std::max(arithmetic, memory) + adding,
          .waves = blocks / room(held),
          .slices = plan.slices,
          .in_cluster = clustered,
          .tail = plan.tail};
}

/// What a policy's pass over the operands adds to a prediction, or that it turns B; see seconds_of_packing().
template <class Policy, class Problem>
void add_packing(choice& c, Problem const& p, repack_plan const& packing, bool meanwhile) {
  c.seconds += packing.turning + seconds_of_packing<takes_any_storage<Policy>>(packing, p.k, meanwhile);
  c.seconds += turning_beyond_l2<Policy, Problem>(packing);
  if (packing.bytes > 0 || packing.row_classes > 0) {
    c.policy = name<Policy>();
    c.packs_a = packing.a.matrices > 0;
    c.packs_b = packing.b.matrices > 0;
  }
}

}  // namespace gemm::detail
