// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policy fp16x3, and what it has in common with bf16x6 and fp16x3_sliced; their kernel is that of wgmma, with the
//! parts of terms_parts.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/cluster_position.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/terms_parts.cuh>
#include <gemm/emulation/unscale.cuh>
#include <gemm/kernel/sm90_wgmma_body.cuh>
#include <gemm/policy.hpp>
#include <gemm/schedule/work_ring.cuh>

namespace gemm {

/// The power of two by which the low terms of floats are scaled before they become halves: 0, or 11, which keeps digits
/// of smaller elements.
template <int Exponent>
struct low_scale {
  static constexpr int exponent = Exponent;
};

namespace detail {

/// What fp16x3 and bf16x6 have in common.
template <class Terms, class Block, class Stages, class Cluster>
struct terms_policy {
  using terms = Terms;
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int stages = Stages::count;
  static constexpr int cluster_m = Cluster::m, cluster_n = Cluster::n;
  static constexpr int low_exponent = Terms::low_exponent;
  static constexpr int warpgroup_m = 64;
  static constexpr int producer_threads = 128;  // setmaxnreg is for whole warpgroups
  static constexpr int consumer_threads = block_m / warpgroup_m * 128;
  static constexpr int threads = producer_threads + consumer_threads;
  static constexpr int accumulators = block_n / 2, pieces = 1;  // and as many for a chunk
  static constexpr int resident = 1;
  static constexpr bool is_persistent = true, alternates = false, swaps = false, splits_second = false;
  static constexpr bool takes_turns = consumer_threads == 256;  // at the chunks of a tile
  static constexpr bool scales_low = low_exponent > 0;
  static constexpr bool compensated = false;  // whether what an addition loses is added with the next chunk
  /// How that is done: in place, which is slower, where no register is left.
  static constexpr bool adds_in_place = accumulators > 64;

  static constexpr kernel_info info{.arch = architecture::sm_90a,
                                    .op = math_op::wgmma,
                                    .loader = operand_loader::tma,
                                    .schedule = tile_schedule::persistent,
                                    .stages = stages,
                                    .cluster_m = cluster_m,
                                    .cluster_n = cluster_n,
                                    .consumer_threads = consumer_threads,
                                    .min_blocks = resident,
                                    .dependent_launch = true,
                                    .split_terms = true};

  struct shared_storage {
    unsigned char a[stages][block_m * 128], b[stages][block_n * 128];
    warp_buffer<block_n> of_warp[consumer_threads / 32];
    arch::mbarrier full[stages], empty[stages];
    facts_storage facts;
    work_ring<work_slots> works;
  };

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage);

  /// Registers of a thread: the accumulators twice, and what is left for the one that only asks for copies.
  static constexpr int producer_registers = 40, consumer_registers = 232;

  /// Whether A and B may have elements of this type.
  template <class T>
  static constexpr bool check_operands() {
    constexpr bool type = std::is_same_v<T, float>;
    static_assert(type,
                  "gemm: fp16x3 and bf16x6 split floats into terms. Use sm90_wgmma for other types, or pipelined.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr bool sides = (block_m == 64 || block_m == 128) && (block_n == 64 || block_n == 128 || block_n == 192) &&
                           block_k == chunk_depth;
    static_assert(
        sides,
        "gemm: fp16x3 and bf16x6 need a block_m of 64 or 128 (a warpgroup for each 64), a block_n of "
        "64, 128 or 192 (accumulators twice in a thread's registers) and a block_k of 64 (what tensor cores accumulate "
        "alone). Change block.");
    constexpr bool ring = stages >= Terms::count;
    static_assert(!sides || ring,
                  "gemm: a ring holds a chunk of 64 k: stages must be at least 2 for fp16x3, 3 for bf16x6.");
    constexpr bool two = cluster_m >= 1 && cluster_n >= 1 && cluster_m * cluster_n <= 2;
    static_assert(!sides || !ring || two, "gemm: a cluster of fp16x3 or bf16x6 has 1 or 2 blocks. Change cluster.");
    constexpr bool low = low_exponent == 0 || low_exponent == 11;
    static_assert(!sides || !ring || !two || low,
                  "gemm: the low parts of fp16x3 are scaled by 2^0 or 2^11. Change low_scale.");
    if constexpr (sides && ring && two && low) {
      return fits_shared_memory<shared_bytes<T>>();
    }
    return false;
  }

  template <class Policy, class Problem, bool>
  static consteval auto kernel() {
    return &sm90_wgmma_kernel<Policy, Problem>;
  }
};

}  // namespace detail

/// Float in, float out, on the tensor cores of sm_90 (wgmma). Passes of their own scale A and B row by row and split
/// each element into two halves; three of the four products of these terms are accumulated. Four times as fast as the
/// multiply-adds of float, where m, n and k are some thousands.
///
/// Block: the tile of C, 64 or 128 rows with 64, 128 or 192 columns, and 64, the k that tensor cores accumulate by
/// themselves. Stages: tiles of 32 k of both operands in the ring. Cluster: one block, or two that share what they
/// load. Low: 0, or 11 for rows of a wide range, at some cost in time.
///
/// Let u = 2^-24, |A| |B| the product of the absolute values, R the greatest of them in a row of A and S in a column of
/// B. The error of an element of C = A B is then at most
///
///     (k / 64 + 48) u |A| |B| + F (R sum |b| + S sum |a|)
///
/// summed over the element's column of B and row of A, where F is 2^-39, or 2^-49 with low_scale<11>. The first term is
/// below float arithmetic's own, (k + 4) u |A| |B|, from k = 45 on; most elements are much closer.
///
/// The second term counts where small elements of a row of A, or of a column of B, meet large ones, and differ from
/// others in it by more than 2^16. With low_scale<11> that is 2^27. An element below 2^-16 of the greatest in its row
/// loses digits, and below 2^-39 all of them (2^-27, 2^-50). So A D and D^-1 B with a D of a wide range do not give the
/// result of A and B. `with_fallback` detects such products and computes them by its fallback.
///
/// k / 64 is what the additions of chunks lose. A policy with `compensated = true` adds that with the next chunk: then
/// it is 3 + k / 2^24 at most. 8 of the 48 are of the terms, 40 of the tensor cores.
///
/// NVIDIA does not document how tensor cores add. Seen on an H200, and asked of every device by
/// tests/unit/wgmma_test.cu: an instruction aligns its products and the accumulator to one exponent, with two bits
/// below a float's last one, truncates, adds, and truncates again. So each of the four instructions for the large
/// products of 64 k loses (16 / 2 + 2) u at most.
///
/// Scaling rows by powers of two scales the result exactly. Denormals of A, B and C are kept, with all their digits.
/// Only a result above the greatest float becomes infinite, whatever the intermediate sums. NaN and infinite elements
/// propagate as IEEE arithmetic says; an infinite one costs a few dot products for each element in its row or column.
/// Integers of up to 11 bits in A or B and up to 22 in the other are exact while the result is below 2^24. A row of C
/// depends on its row of A and on B, not on the tile, and not on the order of C.
///
/// Needs a workspace: 4 bytes for every element of A and B, with k rounded up to 64, and about 8 for each row and
/// column. Any storage, leading dimension and alignment. m, n and a batch below 2^31, k up to 2^30 - 64. k is not
/// split.
template <class Block, class Stages, class Cluster = cluster<1>, class Low = low_scale<0>>
struct fp16x3 : detail::terms_policy<half_terms<Low::exponent>, Block, Stages, Cluster> {};

}  // namespace gemm
