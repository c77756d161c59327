// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 11, tensor cores: warpgroups that multiply tiles of shared memory by wgmma, and a producer warpgroup.
//!
//! Blocks of a cluster share a tile of B, or of A. Each loads half of it for all of them, and gets a stage back when
//! all their consumers have read it. Blocks are persistent: each takes one work after the other. Both operands lie in
//! shared memory in TMA's swizzle of 128 bytes, and wgmma reads them so.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/block/wgmma_input.hpp>
#include <gemm/element.hpp>
#include <gemm/kernel/sm90_wgmma_body.cuh>
#include <gemm/kernel_info.hpp>
#include <gemm/policy.hpp>
#include <gemm/schedule/work_ring.cuh>

namespace gemm {

/// Tensor cores of sm_90 (wgmma), with a producer and a ring of stages.
///
/// Block: the tile of C and its depth, 128 bytes. A warpgroup computes each 64 of 64, 128 or 192 rows, with 64, 80, 96,
/// 112, 128, 144, 160, 176, 192, 224, 240 or 256 columns. Two warpgroups compute 256 rows with 144 or 160 columns, and
/// 192 with 208. Stages: tiles of each operand in the ring. Cluster: two blocks, one below or beside the other, that
/// load half of the tile that both need for each other, or up to four.
///
/// For nn, rows and columns may be exchanged, with 80, 96, 112, 144, 160, 176, 208, 224 or 240 rows: wgmma multiplies
/// B^T A^T. TMA stores the transposed accumulators; other stores are slow.
///
/// For few rows the tile has 16 or 32 of them and a warpgroup for each 64 columns; for few columns 16 or 32 of those.
/// Such blocks have one work each and share multiprocessors: memory's bandwidth wants about 10 MB of loads in flight.
///
/// For __half and __nv_bfloat16, accumulated in float, on a device of compute capability 9.0 with code for sm_90a; all
/// four storages alike. Operands that TMA cannot load are first copied to a workspace, as by `repacked`. m, n, k or a
/// batch of 2^31 and more are refused.
///
/// Input: tf32 for floats, as tf32 says; std::int8_t, whose accumulators are exact modulo 2^32; fp8. wgmma reads them
/// k-major: others are copied transposed, but an mn-major B of tf32 goes through the registers of a block with 128
/// columns for each warpgroup (see register_operand.cuh), whose k no cluster splits. Accumulators of fp8 are promoted
/// every 128 of k, but with fp8_fast_accumulation.
///
/// Promote: how many of k the tensor cores accumulate before float registers add them, in as many registers again. A
/// multiple of block_k; 0, the default but for fp8, is all of k. Not for tf32 or std::int8_t. With promote<128> of fp8
/// the added sums may have scales (see per_block()). With promote<128, 2> of fp8 a block may have 128 x 256.
///
/// Products are exact. The tensor cores add 16 of them and the accumulator with at least two bits more than a float,
/// and truncate; a float's addition rounds. So accumulators of k terms of one sign are too small by about k / 16 units
/// in the last place (seen on an H200). With promote<P> the error is at most (P + k / P + 5) u |A| |B|; each slice of k
/// adds u. Integers are exact below 2^24.
/// NaN and infinities propagate as IEEE arithmetic says. Denormals of A, B and accumulators are kept (seen on an H100
/// for half, bf16 and tf32); those of tf32 are multiples of 2^-136. A row of C does not depend on the other rows, nor
/// on the tile.
template <class Block, class Stages, class Cluster = cluster<1>, class Input = half_or_bf16,
          class Promote = detail::promotion_of_input<Input>>
struct sm90_wgmma {
  using multiplies = Input;
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int stages = Stages::count, element_bytes = detail::bytes_of_input<Input>;
  static constexpr int cluster_m = Cluster::m, cluster_n = Cluster::n;
  static constexpr int warpgroup_m = 64;
  static constexpr bool swaps = block_m % warpgroup_m != 0;  // wgmma's operands
  static constexpr bool is_persistent = block_m >= 64 && block_n >= 64, alternates = false;
  static constexpr int first_extent = swaps ? block_n : block_m, second_extent = swaps ? block_m : block_n;
  /// Pieces of 64 of wgmma's first operand that a warpgroup has, and whether it has all of them, with half of the
  /// second. Two warpgroups: more would leave a thread too few registers for a wgmma of more than 200 columns. The
  /// second operand is then k-major.
  static constexpr bool splits_second = is_persistent && first_extent == 192 && second_extent > 200;
  static constexpr int pieces = splits_second ? 3 : is_persistent && first_extent == 256 ? 2 : 1;
  static constexpr bool wants_k_major_a = pieces > 1 && swaps, wants_k_major_b = pieces > 1 && !swaps;
  static constexpr int producer_threads = 128;  // setmaxnreg is for whole warpgroups
  static constexpr int consumer_threads = pieces > 1 ? 256 : first_extent / warpgroup_m * 128;
  static constexpr int tile_threads = consumer_threads + 32;  // of a block that has one tile
  static constexpr int threads = is_persistent ? producer_threads + consumer_threads : tile_threads;
  static constexpr int accumulators = pieces * second_extent / (splits_second ? 4 : 2);
  static constexpr int promotion = Promote::k, promoted_parts = Promote::parts;
  /// Registers for what tensor cores accumulate and, where that is promoted, for the sums.
  static constexpr int accumulator_registers =
      accumulators + (promotion > 0 && promoted_parts > 0 ? accumulators / promoted_parts : 0);
  static constexpr bool register_operand_b = std::is_same_v<Input, tf32> && is_persistent &&
                                             consumer_threads * detail::register_operand_tile::columns == block_n * 128;
  /// Rows or columns of A's and B's tiles, those that complete the last swizzle row included, for an mn-major operand.
  static constexpr int loaded_m = wants_k_major_a ? block_m : detail::in_whole_lines(block_m, element_bytes),
                       loaded_n = wants_k_major_b ? block_n : detail::in_whole_lines(block_n, element_bytes);
  /// A warp's buffers for C, by which TMA stores it: of all columns beside a wide tile, else two, one or none. A buffer
  /// is worth more than a fifth stage.
  static constexpr int store_buffers = [] {
    constexpr int ring = (loaded_m + loaded_n) * block_k * element_bytes * stages;
    constexpr int left = 225 * 1024 - ring, of_warps = consumer_threads / 32 * 2048,
                  of_row = ((swaps ? block_m : block_n) + 63) / 64;
    constexpr bool wide = is_persistent && element_bytes <= 2 && (block_n > 128 || block_m > 128 || swaps);
    return !wide ? 0 : of_row * of_warps <= left ? of_row : 2 * of_warps <= left ? 2 : of_warps <= left ? 1 : 0;
  }();
  static constexpr bool stores_by_tma = store_buffers > 0,
                        stores_any_rows = consumer_threads <= 256 && !swaps && pieces == 1;
  /// Whether misaligned rows of C are gathered in shared memory: not where the ring needs all of it.
  static constexpr bool gathers_rows =
      is_persistent && stores_any_rows && (stores_by_tma || cluster_m * cluster_n <= 2);
  static constexpr bool splits_k = pieces == 1 && (!swaps || !is_persistent);

  struct shared_storage {
    unsigned char a[stages][loaded_m * block_k * element_bytes];
    unsigned char b[stages][loaded_n * block_k * element_bytes];
    union {  // how C is stored is the same for the whole launch
      detail::warp_row_buffer<gathers_rows ? block_n : 0> lines[consumer_threads / 32];
      detail::store_stages<store_buffers> c[consumer_threads / 32];
    };
    arch::mbarrier full[stages], empty[stages];
    arch::mbarrier all_read, tile_shared;
    detail::work_ring<is_persistent ? detail::work_slots : 0> works;
  };

  /// Bytes that a tile of accumulators may have: those of the ring.
  template <class T>
  static constexpr std::size_t accum_memory = std::size_t{block_m + block_n} * block_k* element_bytes* stages;

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage);

  /// Blocks that share a multiprocessor: its registers and its shared memory, less 1 KiB for each. Of one tile the more
  /// the better, with few registers besides the accumulators.
  static constexpr int resident = [] {
    constexpr int by_memory = static_cast<int>(228 * 1024 / (shared_bytes<float> + 1024));
    constexpr int by_registers =
        is_persistent ? (consumer_threads <= 128 ? 2 : 1) : 65536 / tile_threads / (accumulator_registers + 40);
    constexpr int most = by_memory < by_registers ? by_memory : by_registers;
    return most < 1 ? 1 : most < 8 ? most : 8;
  }();

  /// Registers of a thread: the accumulators, and what is left for the one that only asks for copies. The largest
  /// promoted tiles leave it few, for epilogues' sake.
  static constexpr int producer_registers = cluster_m * cluster_n > 2 || consumer_threads > 256 ? 56
                                            : promotion > 0 && accumulators > 96                ? 24
                                                                                                : 40;
  static constexpr int consumer_registers = [] {
    constexpr int at_launch = 65536 / resident / threads / 8 * 8;
    constexpr int left = threads * at_launch - producer_threads * producer_registers;
    constexpr int most = left / (consumer_threads > 0 ? consumer_threads : 1) / 8 * 8;
    constexpr int allowed = producer_registers == 24 ? 240 : 232;
    return most < allowed ? most : allowed;
  }();

  static constexpr kernel_info info{
      .arch = architecture::sm_90a,
      .op = math_op::wgmma,
      .loader = operand_loader::tma,
      .schedule = is_persistent ? tile_schedule::persistent : tile_schedule::one_tile,
      .reductions = {.workspace = splits_k, .cluster = splits_k && cluster_m * cluster_n == 1 && !register_operand_b},
      .stages = stages,
      .cluster_m = cluster_m,
      .cluster_n = cluster_n,
      .consumer_threads = consumer_threads,
      .min_blocks = resident,
      .promotion = promotion,
      .dependent_launch = true,
      .repacks = true,
      .register_operand_b = register_operand_b,
      .needs_k_major_a = wants_k_major_a,
      .needs_k_major_b = wants_k_major_b,
      .tf32 = std::is_same_v<Input, tf32>,
      .stores_by_tma = stores_by_tma,
      .stores_misaligned_rows = stores_any_rows,
      // Where a thread has registers for a tile's accumulators and, rounded to half as many, those of the tile before.
      .overlapped_epilogue = stores_by_tma && pieces == 1 && !swaps && promotion == 0 && consumer_threads >= 256 &&
                             accumulators * 3 / 2 + 40 <= consumer_registers,
      .swap_ab = swaps,
      .scales_blocks = element_bytes == 1 && promotion == block_k};

  /// Whether A and B may have elements of this type.
  template <class T>
  static constexpr bool check_operands() {
    constexpr bool type = detail::is_input<Input, T>;
    static_assert(
        type,
        "gemm: sm90_wgmma multiplies __half and __nv_bfloat16, or with tf32 as its last parameter float, or with "
        "std::int8_t or fp8 these. Use sm90_simt_tma or pipelined for other types.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr bool second =
        detail::wgmma_extent_of(second_extent, element_bytes).shared && (second_extent != 208 || splits_second);
    constexpr bool first =
        first_extent > 0 && first_extent % warpgroup_m == 0 &&
        (swaps ? !is_persistent ? first_extent <= 256
                                : element_bytes <= 2 && (first_extent <= 192 || (pieces > 1 && element_bytes == 2))
               : first_extent <= 192 || (pieces > 1 && element_bytes == 2));
    constexpr bool sides = block_k == 128 / element_bytes && first && second;
    static_assert(
        sides,
        "gemm: sm90_wgmma needs a block_m of 64, 128 or 192 (a warpgroup for each 64), a block_n of 16, 32, 64, 80, "
        "96, 112, 128, 144, 160, 176, 192, 224, 240 or 256 (what one wgmma multiplies) and a block_k of 128 bytes "
        "(lines, which TMA swizzles), or a block_m of 16 or 32 and a block_n of 64, 128, 192 or 256, or of 16 bits 192 "
        "and 208, or a block_m of 80, 96, 112, 144, 160, 176, 224 or 240 and a block_n of 64, 128 or 192. Change "
        "block.");
    constexpr bool room = accumulator_registers <= (consumer_threads > 256 ? 96 : promotion > 0 ? 192 : 160);
    static_assert(!sides || room,
                  "gemm: a block_m of 192 leaves sm90_wgmma registers for a block_n of 208 at most. Change block, "
                  "of fp8 or with promote to 128 x 192 or 192 x 96 or less.");
    constexpr bool promotes = promotion == 0 || (promotion > 0 && promotion % block_k == 0 &&
                                                 !std::is_same_v<Input, tf32> && !detail::is_input<Input, std::int8_t>);
    static_assert(!sides || !room || promotes,
                  "gemm: promote<k> is for half, bf16 and fp8, and k must be a multiple of block_k, or 0. Change "
                  "promote.");
    constexpr bool divides = promoted_parts == 1 || (promoted_parts > 1 && element_bytes == 1 && promotion == block_k &&
                                                     second_extent % (32 * promoted_parts) == 0);
    static_assert(!sides || !room || !promotes || divides,
                  "gemm: promote<k, parts> is for fp8, k must be block_k, and each part of a warpgroup's columns a "
                  "multiple of 32. Change promote.");
    static_assert(!sides || !room || stages >= 2,
                  "gemm: stages must be at least 2 (tiles are multiplied while others are copied).");
    constexpr bool lines = cluster_m >= 1 && cluster_n >= 1 && block_m % (8 * cluster_n) == 0 &&
                           block_n % (8 * cluster_m) == 0 && block_k % (8 * cluster_m) == 0;
    constexpr int clustered = cluster_m * cluster_n;
    constexpr bool blocks = lines && clustered <= 4 && clustered != 3 && (is_persistent || clustered == 1);
    static_assert(
        !sides || !room || stages < 2 || blocks,
        "gemm: a cluster of sm90_wgmma has 1, 2 or 4 blocks, of which each loads a multiple of 8 rows of a tile; "
        "of tiles of fewer than 64 rows or columns 1. Change cluster.");
    constexpr bool buffers = store_buffers > 0 || !is_persistent || (!swaps && pieces == 1);
    static_assert(!sides || !room || stages < 2 || !blocks || buffers,
                  "gemm: a tile that is stored transposed, or in several pieces by each warpgroup, needs buffers for C "
                  "beside the ring. Make stages fewer.");
    if constexpr (sides && room && promotes && divides && stages >= 2 && blocks && buffers) {
      return detail::fits_shared_memory<shared_bytes<T>>();
    }
    return false;
  }

  template <class Policy, class Problem, bool>
  static consteval auto kernel() {
    return &detail::sm90_wgmma_kernel<Policy, Problem>;
  }
};

}  // namespace gemm
