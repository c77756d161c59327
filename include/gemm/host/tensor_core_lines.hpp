// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the model knows of the lines in which the tensor cores' operands are brought.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gemm/block/deferred_store.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/host/access_width.hpp>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/device_rates.hpp>
#include <gemm/host/packed_storage.hpp>
#include <gemm/host/repack_plan.cuh>
#include <gemm/host/tma_operands.cuh>

namespace gemm::detail {

/// What is left of tensor_core's rate, and how much more is brought, where B's lines run along n (swizzled_tile): wgmma
/// reads lines of less than 128 bytes slowly, and of a wider tile the last one is brought whole. And tiles of no
/// multiple of a line begin within one, so that each line of theirs is two of memory's (an H200, nn 2304^3 in 128 x
/// 168, in turns: 59.4 us, in 168 x 128 34.8; 1536^3 in 128 x 144: 16.0, in 144 x 128 12.5). So are A's along m (tn
/// 1160^3 in 112 x 128, lines of 32 bytes: 14.3 us, in 128 x 128 11.6; 4096x2112x7168 in 128 x 176: 190 us, in 192 x
/// 176 143).
template <class Policy, class Problem>
struct line_cost {
  static constexpr int element = sizeof(typename Problem::input);
  static constexpr bool along_n = takes_any_storage<Policy> && Problem::storage::b == major::mn && Policy::block_n > 64,
                        along_m = takes_any_storage<Policy> && Problem::storage::a == major::mn &&
                                  Policy::block_m > 64 && element == 2;  // or it would have been copied
  static constexpr int whole_n = along_n ? in_whole_lines(Policy::block_n, element) : Policy::block_n,
                       whole_m = along_m ? in_whole_lines(Policy::block_m, element) : Policy::block_m;
  static constexpr double more = double{whole_n} / Policy::block_n;
  static constexpr double of_a = double{1} / Policy::info.cluster_n, of_b = double{1} / Policy::info.cluster_m;
  static constexpr double brought = Policy::block_m * of_a + Policy::block_n * of_b;
  /// Of tiles so wide, for which so much is brought.
  static constexpr double of_lines(int width, double with_whole) {
    double const straddling = width % 32 == 0 ? 1 : width % 16 == 0 ? 0.8 : 0.68;  // of whole lines
    int const line = outer_of_line(width, element) * element;
    return line < 64 ? 0.5 : line < 128 ? 0.85 : brought / with_whole * straddling;
  }
  static constexpr double rate = (along_n ? of_lines(Policy::block_n, Policy::block_m* of_a + whole_n * of_b) : 1) *
                                 (along_m ? of_lines(Policy::block_m, whole_m* of_a + Policy::block_n * of_b) : 1);
};

/// Whether all lines of A and B begin at multiples of 128 bytes, or are copied to where they do.
template <class Problem>
bool aligned_lines(Problem const& p) {
  constexpr std::int64_t line = 128 / sizeof(typename Problem::input), piece = line / 8;
  auto const aligned = [](std::int64_t ld) { return ld % line == 0 || ld % piece != 0; };
  return aligned(p.a.ld) && aligned(p.b.ld);
}

/// Whether a policy whose blocks stay stores a C like this one well: rows in 16-byte pieces, which some need (H200,
/// bf16 4095x4097x4093: tensor_core_ping_pong_128x128x64 315 us, 128x192x64_2x1 263), and by TMA alone where sums are
/// C's transpose.
template <class Problem>
bool stores_well(compiled_kernel const& of, Problem const& p) {
  constexpr int width = widest<typename Problem::output>;
  bool const in_pieces = allows_vectors<width>(p.c);
  return of.stores_misaligned_rows ||
         (in_pieces && (!of.stores_by_tma || p.n % width == 0) &&
          (!of.swap_ab || (p.beta == typename Problem::accum(0) && sizeof(typename Problem::output) == 2)));
}

/// How much longer warpgroups that take turns take if no block shares its tiles with another, where C has so many rows
/// that at any time more lines are asked for of A, each by a block for each column of tiles, than of B (an H200 that
/// has its clock, nt 2048x1024x8192: 47.3 us, in clusters of 1x2 43.3; 4096x1024x4096 46.4 and 44.0; but
/// 1024x4096x4096 43.5 and 47.9, 512x4096x4096 24.0 and more than 27). When power has taken the clock, both take the
/// same. Not of tf32, whose other tiles then take longer (4096^3 in 128 x 128 427 us, in 128 x 256 436).
template <class Problem>
double slower_by_lone_rows(compiled_kernel const& of, Problem const& p) {
  bool const lone = sizeof(typename Problem::input) == 2 && of.stores_by_tma && of.cluster_blocks() == 1;
  return lone && p.m >= 2048 && of.block_m * of.block_n <= 16384 && aligned_lines(p) ? 1.03 : 1;
}

/// How much longer tiles take that are else stored while the next are multiplied (see tensor_core_deferred.cuh), where
/// C's rows, or what else becomes of its elements, keep TMA from it (H200, bf16 4096^3 in 128 x 256 stored first: 195.9
/// us and not 192.5, 4096x24576x1536 491 and 457).
template <class Problem>
double slower_by_stores(compiled_kernel const& of, Problem const& p) {
  if (of.model.stored_first == 0) {
    return 1;
  }
  bool const defers = of.defers_stores && p.beta == typename Problem::accum(0) && tma_can_store(p);
  return defers ? 1 : of.model.stored_first;
}

/// How much longer bf16's and f16's blocks take where a cluster adds six slices or more: they lie in one part of the
/// device, which brings the tiles of all (H200, in 128 x 64: nn 544x128x11264 in eight 12.8 us, by a second
/// kernel 10.0; nt 256x312x7168 10.3 and 8.0; 512x256x12160 in six 15.1, where 13.2 would be without).
template <class Problem>
double slower_by_many_slices(compiled_kernel const& of, Problem const&, int slices_in_cluster) {
  return sizeof(typename Problem::input) == 2 && !of.is_small_tile() && slices_in_cluster >= 6 ? 1.15 : 1;
}

/// What part longer memory takes for their few rows where clusters add slices of lines that begin within sectors (H200,
/// tn 24x12928x4736 in 32 x 64 in three slices 48.0 us, in turns 38.4; 32x11176x2816 in two 26.7, in 64 x 192 21.4; one
/// row was not measured). And where clusters add the slices of more blocks than one for each multiprocessor: a
/// cluster's end together, and ask for nothing meanwhile (nt 64x3456x3584 in 64 x 64 in two slices 10.7 us, in
/// four 11.4; nn 32x9216x4096 in 32 x 64 in three 25.9, in 64 x 192 24.4; but not two of 64 rows whose lines begin
/// anywhere, tn 48x6144x4096 22.2 us, whole 25.3).
template <class Problem>
double slower_by_few_rows(compiled_kernel const& of, Problem const& p, double blocks, int slices_in_cluster,
                          int multiprocessors) {
  constexpr std::int64_t size = sizeof(typename Problem::input), sector = 32 / size;
  if (size != 2 || p.m == 1 || of.block_m > of.block_n || slices_in_cluster < 2) {
    return 1;
  }
  bool const aligned = aligned_lines(p), within = !aligned && (p.a.ld % sector != 0 || p.b.ld % sector != 0);
  bool const crowded = of.resident_in_cluster > 1 && blocks > multiprocessors;
  bool const counts = of.is_small_tile() || aligned || slices_in_cluster > 2;
  return (of.is_small_tile() && within ? 1.25 : 1) * (crowded && counts ? 1.06 : 1);
}

/// What it takes one warpgroup to store a tile that lies partly below a C of few rows from its registers, seconds (an
/// H200: 192x4096x4096 in 64 x 128 18.3 us, 160 rows 20.6; in 128 x 64 17.9 and 17.6).
inline double store_below(compiled_kernel const& of, std::int64_t m) {
  bool const slow = !of.is_small_tile() && !of.stores_by_tma && of.consumer_threads == 128;
  bool const below = m % of.block_m != 0 && m <= 4 * of.block_m;
  return slow && of.block_n > 64 && below ? of.block_n * 1.6e-8 : 0;
}

/// So many seconds of multiplications with 64 rows where B's tiles go through registers (block/turned_tile.cuh): too
/// few for each of them to hide the next (an H200, tf32 in 64 x 128: 256x4096x4096 nn 39.3 us, nt 34.5; 760^3 12.4
/// and 9.6; 512^3 8.4 and 6.0).
inline double with_turned_tiles(compiled_kernel const& of, double seconds) {
  bool const few = of.turns_tiles && of.block_m == 64;
  return few ? 1.08 * seconds + 1.7e-6 : seconds;
}

/// What a pass that turns B takes longer where its copy does not stay in the L2 (H200, tf32 nn 1504x1504x6000: the pass
/// 19 us, 4096x3584x3584 79, 2048x5120x5120 123).
inline double turning_beyond_l2(compiled_kernel const& of, repack_plan const& packing) {
  double const bytes = static_cast<double>(packing.b.bytes);
  return of.on_tensor_cores() && of.turns_b && bytes > 40e6 ? bytes * 0.85e-12 : 0;
}

/// What few rows or columns take to come from memory where their blocks do not all run at once, of so many seconds for
/// all: those that come later begin with nothing on its way, and few last ones take as long as they take alone (an
/// H200, nt in 32 x 64: 32x18944x3584, 296 blocks in 264 places, 40.9 us, of which memory has 32; 32x14336x4096 in two
/// slices, 1.7 rounds, 34.7, without 32.8).
template <class Alone>
double in_rounds(double memory, double blocks, double room, Alone alone) {
  double const rounds = std::ceil(blocks / room), last = blocks - (rounds - 1) * room;
  return rounds <= 1
             ? memory
             : memory * (1 - last / blocks) + (std::max)(memory * last / blocks, alone(last)) + (rounds - 1) * 1.35e-6;
}

/// How long the tiles of so many of tensor_core's blocks are on their way if lines do not begin at multiples of 128
/// bytes: the L2 and its way to a multiprocessor then give half of what they do else, somewhat more where they begin at
/// multiples of 32, its sectors, and the L2 less where the last wave leaves multiprocessors idle (an H200, of what it
/// gives to waves of 128 x 128 tiles: 2000^3 8.7 TB/s, 3000^3 7.1, 5000^3 7.0). What others of a cluster bring costs
/// its way half (1000^3 in clusters of four 64 x 160: 8.2 us, of two 64 x 128 9.1).
template <class Problem>
double misaligned_seconds(compiled_kernel const& of, Problem const& p, double blocks, double depth,
                          int multiprocessors) {
  constexpr double size = sizeof(typename Problem::input);
  constexpr std::int64_t sector = 32 / sizeof(typename Problem::input);
  int const cluster = of.cluster_blocks();
  double const by_sector = p.a.ld % sector != 0 || p.b.ld % sector != 0 ? 1 : cluster == 1 ? 1.6 : 1.35;
  double const l2_bandwidth = 6.3e12 * by_sector, to_multiprocessor = 66e9 * by_sector;
  double const tile = (of.block_m + of.block_n) * size;
  double const shared = (of.block_m / of.cluster_n + of.block_n / of.cluster_m) * size;
  double const waves = std::ceil(blocks / room_for_blocks(cluster, 1, multiprocessors));
  // Until the first tiles are there, for a block alone on its multiprocessor; of two for which there is room, longer
  // (an H200, in 64 x 64: 600^3 7.3 us, 680^3 7.6, in 64 x 96 in clusters 6.1), but where lines begin at sectors only
  // if k is long (416^3 4.3 us, 480^3 4.6, in 112 x 128 in clusters 5.2 and 5.7; tn 48x6144x4096 25.4, in slices 22.5).
  bool const soon = of.min_blocks == 1 || (by_sector > 1 && depth <= 1024);
  double const first = of.min_blocks > 1 && blocks > multiprocessors ? 0 : soon ? 0.9e-6 : 2.3e-6;
  // Four beside one another are faster (nn in 96 x 128: 680^3 6.2 us, 888^3 7.7; in 112 x 128 in 2 x 2 7.1 and 8.5).
  double const beside = of.cluster_n == 4 ? 0.8 : 1;
  return first + beside * waves * depth *
                     (std::max)(multiprocessors * shared / l2_bandwidth, (shared + tile) / 2 / to_multiprocessor) /
                     of.line_rate;
}

}  // namespace gemm::detail
