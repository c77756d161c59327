// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where a block's shared memory has scales of blocks along k: behind the policy's storage, beside the ring's stages.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arithmetic.hpp>
#include <gemm/block/block_scales.cuh>
#include <gemm/kernel_info.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Rows of A and columns of B that a scale of a block is for; 0: none is. By types alone: the host, too, asks.
template <class Scales>
struct block_extents {
  static constexpr int rows = 0, columns = 0;
};
template <int Rows, int Columns>
struct block_extents<scale_per_block<Rows, Columns>> {
  static constexpr int rows = Rows, columns = Columns;
};
template <class Scales>
struct block_extents<gathered_scales<Scales>> : block_extents<Scales> {};

/// The scales of a stage, A's and then B's, in fours: a number for each row or column where it has its own. Else one
/// for each 64 of wgmma's first operand, and one for each `column_stride` of the second.
template <class Policy, class Problem>
struct scale_stage {
  static constexpr bool swaps = Policy::swaps;
  static constexpr int of_a = block_extents<typename Problem::scales_a>::rows,
                       of_b = block_extents<typename Problem::scales_b>::columns;
  static constexpr int row_stride = of_a == 1 ? 1
                                    : swaps   ? common_divisor(Policy::block_m, 128)
                                              : 64,
                       column_stride = of_b == 1 ? 1
                                       : swaps   ? 64
                                                 : common_divisor(Policy::block_n, 128);
  static constexpr int rows = of_a == 0 ? 0 : (Policy::block_m / row_stride + 3) / 4 * 4,
                       columns = of_b == 0 ? 0 : (Policy::block_n / column_stride + 3) / 4 * 4;
  /// Whether a thread has registers for them: not for more than four along a tile, nor, beside the most accumulators,
  /// for one for each row and column.
  static constexpr bool fits_registers =
      (of_b != 128 || Policy::block_n / column_stride <= 4) && (of_a != 1 || of_b != 1 || Policy::accumulators <= 96);
  alignas(16) float number[rows + columns];
};

/// A block's shared memory where its ring has scales, of so many stages. Where they are fewer than the ring's, their
/// slots have barriers of their own: they have been read long before the tiles.
template <class Policy, class Problem, int Slots>
struct storage_with_scales {
  static constexpr bool has_barriers = Slots < Policy::stages;
  typename Policy::shared_storage shared;
  scale_stage<Policy, Problem> scales[Slots];
  arch::mbarrier read[has_barriers ? Slots : 1];
};

/// Stages whose scales are kept: all, or where a warpgroup produces and shared memory is short, a divisor of at least
/// two. 0: none.
template <class Policy, class Problem>
inline constexpr int scale_slots = [] {
  if constexpr (has_block_scales<Problem> && Policy::info.uses_tma() && Policy::info.scales_blocks) {
    using stage = scale_stage<Policy, Problem>;
    constexpr int stages = Policy::stages,
                  left = static_cast<int>(max_shared_bytes) - static_cast<int>(sizeof(typename Policy::shared_storage)),
                  least = Policy::is_persistent && (Policy::swaps ? stage::of_a : stage::of_b) != 1 ? 2 : stages;
    for (int slots = stages; slots >= least; --slots) {
      if (stages % slots == 0 && slots * static_cast<int>(sizeof(stage) + sizeof(arch::mbarrier)) + 32 <= left) {
        return slots;
      }
    }
  }
  return 0;
}();
template <class Policy, class Problem>
inline constexpr bool stages_scales = scale_slots<Policy, Problem> > 0;

template <class Policy, class Problem>
using scale_storage = storage_with_scales<Policy, Problem, scale_slots<Policy, Problem>>;

/// Where the scales of a stage are.
template <class Policy, class Problem>
__device__ unsigned scale_slot(int stage) {
  return static_cast<unsigned>(stage) % static_cast<unsigned>(scale_slots<Policy, Problem>);
}

/// Bytes of shared memory of a policy's block.
template <class Policy, class Problem>
constexpr std::size_t shared_bytes_of() {
  if constexpr (stages_scales<Policy, Problem>) {
    return sizeof(scale_storage<Policy, Problem>);
  } else {
    return Policy::template shared_bytes<typename Problem::accum>;
  }
}

/// The same memory, with the scales of the block's ring.
template <class Policy, class Problem>
__device__ auto& with_scales(typename Policy::shared_storage& shared) {
  return reinterpret_cast<scale_storage<Policy, Problem>&>(shared);
}

/// Initialises the barriers of their slots, by one thread; fence_mbarrier_init() comes after it.
template <class Policy, class Problem>
__device__ void init_scale_slots([[maybe_unused]] typename Policy::shared_storage& shared) {
  if constexpr (stages_scales<Policy, Problem>) {
    auto& all = with_scales<Policy, Problem>(shared);
    if constexpr (scale_storage<Policy, Problem>::has_barriers) {
      for (arch::mbarrier& read : all.read) {
        arch::mbarrier_init(read, Policy::consumer_threads / 32);
      }
    }
  }
}

}  // namespace gemm::detail
