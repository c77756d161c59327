// SPDX-License-Identifier: BSL-1.0
//! @file
//! fp16x3 for small C, where cuBLAS splits k, too. A cluster has a tile of C, each of its blocks a slice of k. Tensor
//! cores accumulate no more than 16 k (see multiply_finely()).
#pragma once

#include <gemm/block/cluster_position.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// fp16x3 with split-K in a cluster: as many blocks as a cluster may have, and the device holds, share a tile of C.
/// Tensor cores accumulate no more than 16 k by themselves. For small C, which it spreads over the device, and for the
/// smallest errors: at most
///
///     (27 + k / 2^24) u |A| |B|
///
/// and F's term as of fp16x3, of which 8 u are of the terms. How k is cut depends on the size of C, and so do the last
/// bits of a row.
///
/// Block: the tile of C, 64 or 128 rows with 64 or 128 columns, and 64; Stages: as of fp16x3; Slices: 1 to 8, if k has
/// as many chunks of 64, or 0 for as many as fill the device. All else is as there.
template <class Block, class Stages, int Slices = 0>
struct fp16x3_sliced : detail::terms_policy<half_terms<0>, Block, Stages, cluster<1>> {
  using whole = detail::terms_policy<half_terms<0>, Block, Stages, cluster<1>>;
  static constexpr bool compensated = true, takes_turns = false;
  static constexpr kernel_info info =
      whole::info.with(&kernel_info::schedule, tile_schedule::one_tile).with(&kernel_info::sliced, true);
  static constexpr int fixed_slices = Slices, most_slices = 8;  // that every device lets a cluster have

  template <class T>
  static constexpr bool check() {
    constexpr bool sides = Block::n <= 128;
    static_assert(
        sides,
        "gemm: fp16x3_sliced needs a block_n of 64 or 128 (accumulators three times in a thread's registers). Change "
        "block.");
    constexpr bool cut = Slices >= 0 && Slices <= most_slices;
    static_assert(!sides || cut, "gemm: fp16x3_sliced cuts k into 1 to 8 slices, or 0 as many as fill the device.");
    if constexpr (sides && cut) {
      return whole::template check<T>();
    }
    return false;
  }
};

}  // namespace gemm
