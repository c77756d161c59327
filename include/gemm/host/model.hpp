// SPDX-License-Identifier: BSL-1.0
//! @file
//! How long a policy will take for a problem: a model of waves and bandwidth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gemm/host/choice.hpp>
#include <gemm/host/copy_rates.hpp>
#include <gemm/host/device_rates.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/memory_rates.hpp>
#include <gemm/host/one_wave.hpp>
#include <gemm/host/policy_facts.hpp>
#include <gemm/host/repack.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/host/tensor_core_lines.hpp>

namespace gemm::detail {

/// `resident` for the blocks of a plan: of tensor_core those that add slices have one tile each.
inline int resident_of(policy_facts const& of, split_plan const& plan) {
  return plan.by == addition::cluster ? of.resident_in_cluster : of.resident;
}

template <class Problem>
double blocks_of(policy_facts const& of, Problem const& p) {  // of whole clusters
  return static_cast<double>(tiles(p.m, of.block_m * of.along_m)) *
         static_cast<double>(tiles(p.n, of.block_n * of.along_n)) * of.cluster() *
         static_cast<double>(tiles(p.batch_count, of.products));
}

/// What a call takes that makes maps for TMA, over and over, because the host does: 168^3 4 to 5.2 us, as fast as that
/// is, in pipelined_16x64x32 3.7 (H200). Half of it counts: the kernel itself can be as fast.
inline constexpr double making_maps = 4.6e-6;

/// The model. Blocks come in waves of as many as the multiprocessors hold, and each multiprocessor works off its share
/// at the policy's efficiency, `efficiency_alone` a block, `efficiency` at most, after an `overhead` of seconds for
/// each block of its own. The whole takes no less than moving A, B and C once, after the first block's overhead, and a
/// launch, which takes longer where it does not overlap the end of the kernel before. With k split, there are besides
/// either another launch and the slices' way through the L2 and back, or their way between the blocks of a cluster.
///
/// Rates are an H200's (1.98 GHz); for the choice, only their ratios matter. They and the float policies' figures were
/// fitted to measurements of all candidates on about 800 shapes, and then to those of 2854 others, most of them random,
/// of all classes, storages and alignments: what is chosen of these takes 1.020 of the best candidate's time, and is
/// within 3 % of it 78 times of 100; before 1.027, and 74 times (fitted to one half of them it came to 1.020 in the
/// other; bench/results/h200/random_products.csv). Of 235 that are in the suites, near them, or were slow once, 216 are
/// within 3 %. What is chosen of the tensor cores for bf16 takes 1.0105 of the best candidate's time, in the geometric
/// mean of 374 shapes that the last figures are fitted to, and 1.0090 for 222 others; of random ones among them 1.020
/// and 1.015 (what was not measured counts as 1.15 of it).
template <class Problem>
[[gnu::cold]] choice predict(policy_facts const& of, Problem const& p, int multiprocessors, split_plan const& plan) {
  using accum = typename Problem::accum;
  double const multiply_adds = 1.98e9 * of.per_clock;
  device_rates const& rates = of.tensor ? tensor_rates : fma_rates;
  double const block_elements = of.elements();
  double const m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  double const whole_k = multiplied_k(of, p);
  double const depth = plan.slices > 1 ? static_cast<double>(plan.depth) : whole_k;
  double const batch = static_cast<double>(p.batch_count);

  double const tiles_of_c = blocks_of(of, p), blocks = tiles_of_c * plan.slices;
  if (of.outer) {
    double const each = tiles_of_c / multiprocessors;
    return {.policy = of.direct_name, .seconds = rates.launch + seconds_of_outer_products(of, p, each), .waves = each};
  }
  bool const wide = of.tma || reads_wide(of, p);  // what TMA cannot load would have been packed
  bool const clustered = plan.by == addition::cluster, streams = plan.by == addition::last_block;
  // Slender tiles take longer to leave sums that a second kernel adds.
  double const leaving = of.tma && !of.tensor && block_elements <= 2048 && plan.slices > 1 && !clustered ? 1.38 : 1;
  double const overhead = leaving * overhead_of(of, wide) + waits_for_pieces(of, k, tiles_of_c / multiprocessors);

  // Seconds of a multiprocessor for so many blocks at a time.
  auto const seconds_of = [&](double at_once, double deep) {
    double const rate = multiply_adds * of.line_rate;
    return at_once * (overhead + block_elements * deep / (rate * efficiency_of(of, at_once, wide)));
  };
  int const held = resident_of(of, plan);
  auto const room = [&](int blocks_each) {
    return clustered ? room_for_clusters(plan.slices, blocks_each, multiprocessors)
                     : room_for_blocks(of.cluster(), blocks_each, multiprocessors);
  };
  double arithmetic = 0, rounds = 1;  // of blocks that follow one another on a multiprocessor
  if (streams) {                      // the first slices of the last tiles end last
    double const places = room(held), first = static_cast<double>(plan.depth) + plan.first_longer;
    rounds = std::ceil(tiles_of_c / places);
    arithmetic = (rounds - 1) * seconds_of(held, whole_k) + seconds_of(held, first);
    double const crowd = static_cast<double>(plan.cut_tiles) * plan.slices / places - 1;  // of slices at a place
    arithmetic += (std::max)(crowd, 0.0) * held * rates.stream_slice * of.overhead;
  } else {
    double const full_waves = std::floor(blocks / room(held)), rest = blocks - full_waves * room(held);
    rounds = std::ceil(blocks / room(held));
    // The first blocks are spread evenly: in clusters as blocks_each() says, those of the tensor cores' small tiles
    // even where that gives some multiprocessors three. Later ones come where others leave: often two together, which
    // began together, but apart where k is long. Where many blocks share a multiprocessor, clusters leave no gaps, but
    // seldom find just the last places.
    bool const tensor = of.tensor, narrow_tile = block_elements <= 1024 && of.block_m > of.block_n;
    double const evenly = block_elements > 2048 || narrow_tile ? 1e9 : block_elements > 1024 ? 3 : 2;
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
    arithmetic -= later * of.hidden * overhead;
  }
  arithmetic *= slower_by_rows(of, p);
  if (of.tensor) {
    arithmetic *= slower_by_lone_rows(of, p) * slower_by_stores(of, p);
    arithmetic = with_turned_tiles(of, arithmetic) + store_below(of, p.m) + (rounds <= 1 && k >= 128 ? of.lone : 0);
    arithmetic *= slower_by_many_slices(of, p, clustered ? plan.slices : 1);
    if (!aligned_lines(p)) {
      arithmetic = (std::max)(arithmetic, of.overhead + misaligned_seconds(of, p, blocks, depth, multiprocessors));
    }
  }
  double const bytes =
      batch * ((m * k + k * n) * sizeof(typename Problem::input) + m * n * sizeof(typename Problem::output));
  if (of.fitted && Problem::storage::a == major::k && Problem::storage::b == major::k) {
    // From memory, not the L2 (H200, nt 128x4096x4096 in 64x64: 145 us, not 130; but not a batch, 200 of 150^3 71).
    arithmetic *= bytes > 4e7 && batch == 1 ? 1.1 : 1;
  }
  double memory = bytes / rates.bandwidth;
  if (!of.skinny) {  // what the blocks' rings can hold bounds what is on its way
    // For a multiprocessor; tensor cores leave little of it waiting to be multiplied, nor do narrow tiles.
    double const enough = of.slim ? 66e3 : of.tensor ? 90e3 : !of.tma ? 95e3 : of.block_n <= 32 ? 109e3 : 196e3;
    auto const ring = static_cast<double>(of.shared_bytes);
    double const in_flight = blocks * ring / (enough * multiprocessors);
    double slower = of.line_more / (std::min)(in_flight, 1.0);
    if (of.tensor && !of.slim) {
      // Multiprocessors without a tile in the last wave ask for nothing (an H200, 128x28672x4096: in 128 tiles 64 us,
      // in 224 70, in 150 87). And many lines at the same time, in pieces of 128 bytes, are slower.
      slower = (std::max)(slower, std::sqrt(std::ceil(blocks / multiprocessors) * multiprocessors / blocks));
      slower *= 1 + 0.09 * std::clamp(((std::max)(m, n) - 4096) / 12288, 0.0, 1.0);
      // So are those that several blocks ask for at about the same time, unless one brings them for all.
      double const columns = static_cast<double>(tiles(p.n, of.block_n * of.along_n)),
                   rows = static_cast<double>(tiles(p.m, of.block_m * of.along_m));
      double const shared = (m * (1 - 1 / columns) + n * (1 - 1 / rows)) * k * sizeof(typename Problem::input);
      slower *= 1 + 0.32 * batch * shared / bytes;
    }
    memory *= slower;
    if (of.slim) {
      // Multiprocessors have about equal parts of the bandwidth, whether one block or two: some then end late. And more
      // on its way than 12 MB makes memory slower.
      double const most = std::ceil(blocks / multiprocessors);
      double const uneven =
          blocks > multiprocessors && rounds == 1 && ring > 6e4 ? std::sqrt(most * multiprocessors / blocks) : 1;
      double const crowded = (std::min)(blocks, room(held)) * ring / (90e3 * multiprocessors) - 1;
      memory *= uneven * (1 + 0.04 * std::clamp(crowded, 0.0, 1.0));
      auto const alone = [&](double last) { return seconds_of(std::ceil(last / multiprocessors), depth); };
      memory = in_rounds(memory, blocks, room(held), alone);
    }
  }
  int const each = blocks_each(blocks, clustered ? plan.slices : 1, held, multiprocessors);
  if (of.tma && !of.tensor) {                 // some multiprocessors have no place in a cluster
    int const most = each > 0 ? each : held;  // H200, 16x4096x4096 in 16x128 tiles and sevens: 24.5 us, not 20.6
    memory *= clustered ? double{1} * most * multiprocessors / room(most) : 1;
  }
  memory *= slower_by_threads(of, p, blocks, blocks / room(held), wide, multiprocessors);
  memory *= of.tensor ? slower_by_few_rows(of, p, blocks, clustered ? plan.slices : 1, multiprocessors) : 1;
  memory = (std::max)(memory, seconds_of_storing(of, batch * m * n * sizeof(typename Problem::output))) + overhead;
  // More than two of the smallest tiles on a multiprocessor gain nothing by it.
  bool const late = !of.waits || (!of.tma && block_elements <= 1024 && each > 2);
  double adding = 0;
  if (clustered) {
    adding = rates.first_in_cluster + rates.each_in_cluster * plan.slices +
             block_elements * sizeof(accum) / rates.cluster_bandwidth;
    adding *= 1 + (rounds - 1) / held;  // other blocks multiply meanwhile
  } else if (plan.slices > 1) {
    double const there_and_back = 2 * static_cast<double>(plan.bytes);
    double const one_after_another = (plan.slices - 1) * block_elements * sizeof(accum);
    adding = streams ? rates.stream_addition + there_and_back / rates.stream_bandwidth +
                           one_after_another / rates.slice_bandwidth
             : of.slices_in_fragments
                 ? rates.second_launch_of_fragments + rates.fragment_slice * (std::min)(plan.slices, 16) +
                       there_and_back / rates.fragment_bandwidth
                 : rates.second_launch + rates.slice_round * plan.slices / 32 + there_and_back / rates.l2_bandwidth;
  }
  double seconds = rates.launch + (late ? rates.late_launch : 0) + (std::max)(arithmetic, memory) + adding;
  if (of.tma && !of.tensor && seconds < making_maps) {
    seconds = (making_maps + seconds) / 2;
  }
  return {.policy = of.direct_name,
          .seconds = seconds,
          .waves = blocks / room(held),
          .slices = plan.slices,
          .in_cluster = clustered,
          .tail = streams};
}

/// What a policy's pass over the operands adds to a prediction, or that it turns B; see seconds_of_packing().
inline void add_packing(policy_facts const& of, choice& c, repack_plan const& packing) {
  c.seconds += packing.turning + seconds_of_packing(of, packing);
  c.seconds += turning_beyond_l2(of, packing);
  if (packing.bytes > 0) {
    c.policy = of.name;
    c.packs_a = packing.a.matrices > 0;
    c.packs_b = packing.b.matrices > 0;
  }
}

}  // namespace gemm::detail
