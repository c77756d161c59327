// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of blocks along k in shared memory: beside each stage of the ring those of its tiles, which idle warps of the
//! producer's warpgroup load. Consumers then compute no addresses in their main loop, and wait for no global memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arithmetic.hpp>
#include <gemm/block/block_scales.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// The scales of a stage, A's and then B's, in fours: a number for each row or column where it has its own. Else one
/// for each 64 of wgmma's first operand, and one for each `apart` of the second.
template <class Policy, class Problem>
struct scale_stage {
  static constexpr bool swaps = Policy::swaps;
  static constexpr int of_a = decltype(block_scales_of_a(std::declval<Problem const&>(), 0))::extent,
                       of_b = decltype(block_scales_of_b(std::declval<Problem const&>(), 0))::extent;
  static constexpr int rows_apart = of_a == 1 ? 1
                                    : swaps   ? std::gcd(Policy::block_m, 128)
                                              : 64,
                       columns_apart = of_b == 1 ? 1
                                       : swaps   ? 64
                                                 : std::gcd(Policy::block_n, 128);
  static constexpr int rows = of_a == 0 ? 0 : (Policy::block_m / rows_apart + 3) / 4 * 4,
                       columns = of_b == 0 ? 0 : (Policy::block_n / columns_apart + 3) / 4 * 4;
  alignas(16) float number[rows + columns];
};

/// A block's shared memory where its ring has scales, of so many stages.
template <class Policy, class Problem, int Slots>
struct storage_with_scales {
  typename Policy::shared_storage shared;
  scale_stage<Policy, Problem> scales[Slots];
};

/// Stages whose scales are kept: all, or where a warpgroup produces and shared memory is short, a divisor of at least
/// two. 0: none.
template <class Policy, class Problem>
inline constexpr int scale_slots = [] {
  if constexpr (has_block_scales<Problem> && Policy::info.op == math_op::wgmma && Policy::info.scales_blocks) {
    constexpr int stages = Policy::stages, one = sizeof(scale_stage<Policy, Problem>),
                  left = static_cast<int>(max_shared_bytes) - static_cast<int>(sizeof(typename Policy::shared_storage)),
                  least = Policy::is_persistent ? 2 : stages;
    for (int slots = stages; slots >= least; --slots) {
      if (stages % slots == 0 && slots * one + 15 <= left) {
        return slots;
      }
    }
  }
  return 0;
}();
template <class Policy, class Problem>
inline constexpr bool stages_scales = scale_slots<Policy, Problem> > 0;

/// Where the scales of a stage are.
template <class Policy, class Problem>
__device__ unsigned scale_slot(int stage) {
  return static_cast<unsigned>(stage) % static_cast<unsigned>(scale_slots<Policy, Problem>);
}

/// Bytes of shared memory of a policy's block.
template <class Policy, class Problem>
constexpr std::size_t shared_bytes_of() {
  if constexpr (stages_scales<Policy, Problem>) {
    return sizeof(storage_with_scales<Policy, Problem, scale_slots<Policy, Problem>>);
  } else {
    return Policy::template shared_bytes<typename Problem::accum>;
  }
}

/// The scales of a block's ring.
template <class Policy, class Problem>
__device__ auto& scales_beside(typename Policy::shared_storage& shared) {
  return reinterpret_cast<storage_with_scales<Policy, Problem, scale_slots<Policy, Problem>>&>(shared).scales;
}

/// Threads that load scales: the warps of the producer's warpgroup behind its own, or its only one. Each arrives on a
/// stage's barrier.
template <class Policy>
inline constexpr int scale_loaders = Policy::is_persistent ? Policy::producer_threads - 32 : 32;

/// A thread's share of a work's scales, for tiles of 128 of k one after the other.
template <class Policy, class Problem>
class scale_loader {
  using stage = scale_stage<Policy, Problem>;
  static constexpr int loaders = scale_loaders<Policy>, count = stage::rows + stage::columns,
                       each = (count + loaders - 1) / loaders;
  int thread;
  float const* from[each];
  std::int64_t step[each];

 public:
  /// `loader`: which of the threads it is. The tile of C, and the first tile of k.
  __device__ scale_loader(Problem const& p, block_tile const& tile, int k_begin, int loader) : thread(loader) {
    auto const a = block_scales_of_a(p, tile.batch);
    auto const b = block_scales_of_b(p, tile.batch);
#pragma unroll
    for (int i = 0; i < each; ++i) {
      int const number = thread + i * loaders, column = number - stage::rows;
      bool const of_a = number < stage::rows;
      from[i] = of_a ? a.address(static_cast<int>(tile.row) + number * stage::rows_apart, k_begin)
                     : b.address(static_cast<int>(tile.column) + column * stage::columns_apart, k_begin);
      step[i] = of_a ? a.k_stride : b.k_stride;
    }
  }

  /// Has those of the next tile copied to a stage that has been read, and arrives on its barrier when they are there.
  __device__ void load(typename Policy::shared_storage& shared, int to_stage) {
    float* const to = scales_beside<Policy, Problem>(shared)[scale_slot<Policy, Problem>(to_stage)].number + thread;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      if (thread + i * loaders < count) {
        arch::cp_async<4>(to + i * loaders, from[i]);
      }
      from[i] += step[i];
    }
    arch::cp_async_arrive(shared.full[to_stage]);
  }
};

/// The next stage of the ring, and that of the tile whose scales were last in its slot.
template <class Policy, class Problem>
struct scale_place {
  ring_place<Policy::stages> next, before{.stage = Policy::stages - scale_slots<Policy, Problem>, .phase = 1};

  __device__ void advance() {
    next.advance();
    before.advance();
  }
};

/// How a warpgroup's accumulators are added times the scales of their stage: the promotion of
/// multiply_promoted_tiles().
template <class Policy, class Problem>
class staged_scales {
  using stage = scale_stage<Policy, Problem>;
  static constexpr bool swaps = Policy::swaps;
  static constexpr int of_first = swaps ? stage::of_b : stage::of_a, of_second = swaps ? stage::of_a : stage::of_b,
                       begin_first = swaps ? stage::rows : 0, begin_second = swaps ? 0 : stage::rows,
                       apart = swaps ? stage::rows_apart : stage::columns_apart,
                       count = of_second == 128 ? (swaps ? Policy::block_m : Policy::block_n) / apart : 1;

  struct factors {
    float first[2], second[count];
    float const* pair;  // of the thread's first two of the second operand
  };

  stage const* ring;
  int first;

 public:
  /// Whether add() reads a stage's scales, which then is not given back before.
  static constexpr bool reads_stage = of_second == 1;

  __device__ staged_scales(typename Policy::shared_storage& shared, int warpgroup)
      : ring(scales_beside<Policy, Problem>(shared)),
        first(begin_first + (of_first == 1 ? warpgroup * 64 + static_cast<int>(threadIdx.x) % 128 / 32 * 16 +
                                                 static_cast<int>(threadIdx.x) % 32 / 4
                                           : warpgroup)) {}

  /// By whole warps, once the stage is full.
  __device__ factors load_ahead(int stage_of_tile) const {
    float const* const number = ring[scale_slot<Policy, Problem>(stage_of_tile)].number;
    factors f{};
    f.first[0] = of_first == 0 ? 1 : number[first];
    f.first[1] = of_first == 1 ? number[first + 8] : f.first[0];
    if constexpr (reads_stage) {
      f.pair = number + begin_second + static_cast<int>(threadIdx.x) % 4 * 2;
    } else {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        f.second[i] = of_second == 0 ? 1 : number[begin_second + i];
      }
      __syncwarp();  // for all lanes to have read it, before one gives the stage back
    }
    return f;
  }

  /// Adds the accumulators of a tile's part-th columns times their scales. By whole warps.
  template <int Sums, int Count>
  __device__ void add(float (&sum)[1][Sums], float const (&promoted)[1][Count], factors const& f, int part) const {
#pragma unroll
    for (int i = 0; i < Count / 4; ++i) {
      int const eighth = part * Count / 4 + i;
      float of_pair[2];
      if constexpr (reads_stage) {
        auto const pair = load_vector<2>(f.pair + eighth * 8);
        of_pair[0] = pair.element[0];
        of_pair[1] = pair.element[1];
      } else {
        of_pair[0] = of_pair[1] = f.second[eighth * 8 / apart % count];
      }
#pragma unroll
      for (int element = 0; element < 2; ++element) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          int const j = 4 * i + 2 * half + element;
          float& to = sum[0][part * Count + j];
          to = multiply_add(promoted[0][j], f.first[half] * of_pair[element], to);
        }
      }
    }
    if constexpr (reads_stage) {
      __syncwarp();
    }
  }
};

}  // namespace gemm::detail
