// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of floats as sums of 16-bit terms without wgmma: the policies fp16x3_mma and bf16x6_mma.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/block/cluster_position.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/mma_kernel.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// What both have in common.
template <class Terms, class Block, class Stages>
struct mma_terms_policy : terms_policy<Terms, Block, Stages, cluster<1>> {
  static constexpr int producer_threads = 0, threads = Block::m * 2, consumer_threads = threads;
  static constexpr bool compensated = true;
  static constexpr int least_k = 128;  // from which on float arithmetic's own bound is not below this one's

  static constexpr kernel_info info{.op = math_op::mma,
                                    .loader = operand_loader::cp_async,
                                    .schedule = tile_schedule::persistent,
                                    .stages = Stages::count,
                                    .consumer_threads = threads,
                                    .min_blocks = 1,
                                    .dependent_launch = true,
                                    .split_terms = true};

  /// Of A and B as the passes split them: they say by themselves how they read.
  template <class T, major>
  static constexpr int access_width = 1;

  /// Stages of 32 k, or where they were the warps' rows of C.
  template <class T>
  static constexpr std::size_t shared_bytes = [] {
    constexpr std::size_t ring = std::size_t{Stages::count} * Terms::count * (Block::m + Block::n) * 64,
                          rows = sizeof(warp_buffer<Block::n>) * (threads / 32);
    return ring > rows ? ring : (rows + 1023) / 1024 * 1024;
  }();

  template <class T>
  static constexpr bool check() {
    constexpr bool sides = (Block::m == 64 || Block::m == 128) && (Block::n == 64 || Block::n == 128) &&
                           Block::k == chunk_depth && Stages::count >= 2;
    static_assert(sides,
                  "gemm: fp16x3_mma and bf16x6_mma need a block_m and a block_n of 64 or 128, a block_k of 64 and "
                  "2 stages at least. Change block or stages.");
    if constexpr (sides) {
      return fits_shared_memory<shared_bytes<T>>();
    }
    return false;
  }

  template <class Policy, class Problem, bool>
  static consteval auto kernel() {
    return &emulated_mma_kernel<Policy, Problem>;
  }
};

}  // namespace detail

/// fp16x3 by mma.sync, for every GPU from sm_80 on. Block: as of fp16x3, of at most 128 columns; Stages: of 32 k.
///
/// The same terms, with compensated additions; tensor cores sum 32 k by themselves, not 64. The error is at most
///
///     (108 + k / 2^19) u |A| |B|, of bf16x6_mma (104 + k / 2^19) u |A| |B|
///
/// and the second term of fp16x3, of bf16x6. From k = 128 on that is at most (k + 4) u |A| |B|, which float arithmetic
/// has.
///
/// The bound supposes that tensor cores add at least p = 4 products at a time to an accumulator. Each of these p + 1
/// numbers, and their sum, loses less than 2^-23 of the greatest of them and the sum. Let P be |A| |B| of 32 k.
///
///     large products     32 / p additions, (p + 2) 2u of at most 1.01 P each: 97 u P
///     small products     160 / p of at most P / 250 each: 2 u P; of fp16x3_mma 64 / p of P / 1000: 0.2 u P
///     beside those       what the last chunk's addition has lost, at most u |A| |B|: 576 u^2 |A| |B| for each 32 k
///     left out           1 u P; of fp16x3_mma, and lost by its terms: 8 u P
///     chunks' additions  1 u P where a chunk exceeds the accumulator, and 1 u |A| |B| at the end
///
/// More products at a time lose less. `gemm_accuracy --mma` measures the errors.
template <class Block, class Stages>
struct fp16x3_mma : detail::mma_terms_policy<half_terms<0>, Block, Stages> {};

/// bf16x6 likewise.
template <class Block, class Stages>
struct bf16x6_mma : detail::mma_terms_policy<bf16_terms, Block, Stages> {};

}  // namespace gemm
