// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 11 once more, ping-pong: of two warpgroups one stores its tile of C while the other multiplies the next.
//!
//!     producer      as in sm90_wgmma_body.cuh, whose kernel this is, with order_alternating (collective/order.cuh)
//!     consumers     two warpgroups: one has the block's first, third, ... work, the other the second, fourth, ... When
//!                   its turn comes, it multiplies all tiles of k, gives the turn to the other, and only then waits for
//!                   its last accumulators and stores them. Where in the ring a work's tiles begin is published with
//!                   it, so that works may be of any length.
//!
//!     full[s]   completes when stage s has its tiles; empty[s] when the warps that have the tile of C have read them.
//!     turn[w]   completes when the warps of the other warpgroup have seen the last of their tile's stages full. If
//!               warpgroup w did not wait for it, it would take a stage for its own that the other has yet to wait for:
//!               the parity of a phase does not tell rounds of the ring apart.
//!
//! The tensor cores wait for no epilogue that takes less time than the other's multiplications; its instructions slow
//! these down all the same. C goes through shared memory, from which TMA stores it when it likes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/block/wgmma_input.hpp>
#include <gemm/element.hpp>
#include <gemm/kernel/sm90_wgmma_body.cuh>
#include <gemm/kernel_info.hpp>
#include <gemm/policy.hpp>
#include <gemm/schedule/work_ring.cuh>

namespace gemm {

/// Tensor cores of sm_90 (wgmma), with a producer warpgroup, a ring of stages, and two warpgroups in ping-pong.
///
/// Block: the tile of C that one of them has, and its depth, 128 bytes. It has 64 or 128 rows with 64, 128, 144, 160,
/// 168, 176, 192 or 256 columns, at most 128 x 176 elements. Or for nn 96, 144, 160, 168 or 176 rows with 64 or 128
/// columns, as sm90_wgmma's. Stages: tiles of each operand in the ring. Cluster and Input: as sm90_wgmma's. With 176
/// columns epilogues spill a few registers.
///
/// For products whose tiles are many: a block of one tile has nothing to store meanwhile. Types, storages, what is
/// copied first and the arithmetic are sm90_wgmma's, and the results bitwise the same. C is stored by TMA if beta is 0
/// and its pointer, leading dimension and batch stride are multiples of 16 bytes. Clusters are for short k, which is
/// bound by the loads' latency, and for rows that are misaligned for 128 bytes.
///
/// What was tried and how near the tensor cores' limit it comes is in docs/tuning-notes.md (ping-pong).
///
template <class Block, class Stages, class Cluster = cluster<1>, class Input = half_or_bf16>
struct sm90_wgmma_ping_pong {
  using multiplies = Input;
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int stages = Stages::count, element_bytes = detail::bytes_of_input<Input>;
  static constexpr int cluster_m = Cluster::m, cluster_n = Cluster::n;
  static constexpr int warpgroup_m = 64;
  static constexpr bool swaps = block_m % warpgroup_m != 0;  // wgmma's operands
  static constexpr int pieces = (swaps ? block_n : block_m) / warpgroup_m;
  static constexpr bool splits_second = false, alternates = true;
  static constexpr int promotion = 0;
  static constexpr int producer_threads = 128;  // setmaxnreg is for whole warpgroups
  static constexpr int consumer_threads = 256;
  static constexpr int threads = producer_threads + consumer_threads;
  static constexpr int accumulators = pieces * (swaps ? block_m : block_n) / 2;
  static constexpr int resident = 1;
  static constexpr bool is_persistent = true, stores_by_tma = true;
  static constexpr kernel_info info{.arch = architecture::sm_90a,
                                    .op = math_op::wgmma,
                                    .loader = operand_loader::tma,
                                    .schedule = tile_schedule::ping_pong,
                                    .stages = stages,
                                    .cluster_m = cluster_m,
                                    .cluster_n = cluster_n,
                                    .consumer_threads = consumer_threads,
                                    .min_blocks = resident,
                                    .dependent_launch = true,
                                    .repacks = true,
                                    .tf32 = std::is_same_v<Input, tf32>,
                                    .stores_by_tma = true,
                                    .swap_ab = swaps,
                                    .spills_with_epilogue = accumulators > 160};

  struct shared_storage {
    unsigned char a[stages][detail::in_whole_lines(block_m, element_bytes) * block_k * element_bytes];
    unsigned char b[stages][detail::in_whole_lines(block_n, element_bytes) * block_k * element_bytes];
    detail::store_stages<2> c[consumer_threads / 32];
    arch::mbarrier full[stages], empty[stages], turn[2];
    detail::work_ring<detail::work_slots> works;
  };

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage);

  /// Registers of a thread: the accumulators, and what is left for the one that only asks for copies, which needs few.
  static constexpr int producer_registers = accumulators > 128 ? 24 : 40;
  static constexpr int consumer_registers = accumulators > 128 ? 240 : 232;

  /// Whether A and B may have elements of this type.
  template <class T>
  static constexpr bool check_operands() {
    constexpr bool type = detail::is_input<Input, T> && !std::is_same_v<Input, fp8>;
    static_assert(type,
                  "gemm: sm90_wgmma_ping_pong multiplies __half and __nv_bfloat16, or with tf32 as its last parameter "
                  "float, or with std::int8_t or "
                  "fp8_fast_accumulation these. Use sm90_simt_tma or pipelined for other types.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr int wgmma_m = swaps ? block_n : block_m, other = swaps ? block_m : block_n;
    constexpr auto tiles = detail::wgmma_extent_of(other, element_bytes).ping_pong;
    constexpr bool sides =
        (wgmma_m == 64 || wgmma_m == 128) &&
        (tiles == detail::ping_pong_tiles::all || (swaps && tiles == detail::ping_pong_tiles::swapped)) &&
        block_k == 128 / element_bytes && (!swaps || element_bytes == 2);
    static_assert(
        sides,
        "gemm: sm90_wgmma_ping_pong needs a block_m of 64 or 128 (what a warpgroup multiplies), a block_n of "
        "64, 128, 144, 160, 168, 176, 192 or 256 (what one wgmma multiplies), or of 16 bits a block_n of 64 or 128 "
        "and a block_m of 96, 144, 160, 168 or 176, and a block_k of 128 bytes (lines, which TMA swizzles). "
        "Change block.");
    constexpr bool room = accumulators <= 176;
    static_assert(!sides || room,
                  "gemm: a tile of sm90_wgmma_ping_pong has at most 22528 elements (176 accumulators in a thread's "
                  "registers). Change block.");
    static_assert(!sides || !room || stages >= 2,
                  "gemm: stages must be at least 2 (tiles are multiplied while others are copied).");
    constexpr bool two = cluster_m >= 1 && cluster_n >= 1 && cluster_m * cluster_n <= 2 &&
                         block_m % (8 * cluster_n) == 0 && block_n % (8 * cluster_m) == 0;
    static_assert(!sides || !room || stages < 2 || two,
                  "gemm: a cluster of sm90_wgmma_ping_pong has 1 or 2 blocks, of which each loads a multiple of 8 "
                  "rows. Change cluster or block.");
    if constexpr (sides && room && stages >= 2 && two) {
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
