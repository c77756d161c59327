// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of blocks along k by shared memory: idle warps of the producer's warpgroup load those of a stage's tiles
//! beside it. Consumers then compute no addresses in their main loop, and wait for no global memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arithmetic.hpp>
#include <gemm/block/block_scales.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/scale_stage.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

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
  template <class Product>
  __device__ scale_loader(Product const& p, block_tile const& tile, int k_begin, int loader) : thread(loader) {
    auto const a = block_scales_of_a(p, tile.batch);
    auto const b = block_scales_of_b(p, tile.batch);
#pragma unroll
    for (int i = 0; i < each; ++i) {
      int const number = thread + i * loaders, column = number - stage::rows;
      bool const of_a = number < stage::rows;
      from[i] = of_a ? a.address(static_cast<int>(tile.row) + number * stage::row_stride, k_begin)
                     : b.address(static_cast<int>(tile.column) + column * stage::column_stride, k_begin);
      step[i] = of_a ? a.k_stride : b.k_stride;
    }
  }

  /// Has those of the next tile copied to a stage that has been read, and arrives on its barrier when they are there.
  __device__ void load(typename Policy::shared_storage& shared, int to_stage) {
    float* const to = with_scales<Policy, Problem>(shared).scales[scale_slot<Policy, Problem>(to_stage)].number;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      if (thread + i * loaders < count) {
        arch::cp_async<4>(to + (thread + i * loaders), from[i]);
      }
      from[i] += step[i];
    }
    arch::cp_async_arrive(shared.full[to_stage]);
  }
};

/// The next stage of the ring, and the slot of its scales.
template <class Policy, class Problem>
struct scale_position {
  ring_position<Policy::stages> next;
  ring_position<scale_slots<Policy, Problem>> slot;

  /// Waits until the slot's last scales have been read.
  __device__ void wait(typename Policy::shared_storage& shared) const {
    auto& all = with_scales<Policy, Problem>(shared);
    if constexpr (scale_storage<Policy, Problem>::has_barriers) {
      arch::mbarrier_wait_parity(all.read[slot.stage], slot.phase ^ 1);
    } else {
      arch::mbarrier_wait_parity(shared.empty[next.stage], next.phase ^ 1);
    }
  }
  __device__ void advance() {
    next.advance();
    slot.advance();
  }
};

/// How a warpgroup's accumulators are added times the scales of their stage: a promotion of mma_wgmma_promoted.
template <class Policy, class Problem>
class staged_scales {
  using stage = scale_stage<Policy, Problem>;
  static constexpr bool swaps = Policy::swaps;
  static constexpr int of_first = swaps ? stage::of_b : stage::of_a, of_second = swaps ? stage::of_a : stage::of_b,
                       begin_first = swaps ? stage::rows : 0, begin_second = swaps ? 0 : stage::rows,
                       spacing = swaps ? stage::row_stride : stage::column_stride,
                       count = of_second == 128 ? (swaps ? Policy::block_m : Policy::block_n) / spacing : 1;

  struct factors {
    float first[2], second[count];
    float const* pair;  // of the thread's first two of the second operand
  };

  using storage = scale_storage<Policy, Problem>;
  storage* all;
  int first;

 public:
  /// Whether add() reads a stage's scales, which then is not given back before.
  static constexpr bool reads_stage = of_second == 1;

  __device__ staged_scales(typename Policy::shared_storage& shared, int warpgroup)
      : all(&with_scales<Policy, Problem>(shared)),
        first(begin_first + (of_first == 1 ? warpgroup * 64 + static_cast<int>(threadIdx.x) % 128 / 32 * 16 +
                                                 static_cast<int>(threadIdx.x) % 32 / 4
                                           : warpgroup)) {}

  /// By whole warps, once the stage is full.
  __device__ factors load_ahead(int stage_of_tile) const {
    unsigned const slot = scale_slot<Policy, Problem>(stage_of_tile);
    float const* const number = all->scales[slot].number;
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
      if constexpr (storage::has_barriers) {
        if (threadIdx.x % 32 == 0) {
          arch::mbarrier_arrive(all->read[slot]);
        }
      }
    }
    return f;
  }

  /// Adds the accumulators of a tile's part-th columns times their scales. By whole warps.
  template <int Accums, int Count>
  __device__ void add(float (&accum)[1][Accums], float const (&promoted)[1][Count], factors const& f, int part) const {
#pragma unroll
    for (int i = 0; i < Count / 4; ++i) {
      int const eighth = part * Count / 4 + i;
      float of_pair[2];
      if constexpr (reads_stage) {
        auto const pair = load_vector<2>(f.pair + eighth * 8);
        of_pair[0] = pair.element[0];
        of_pair[1] = pair.element[1];
      } else {
        of_pair[0] = of_pair[1] = f.second[eighth * 8 / spacing % count];
      }
#pragma unroll
      for (int element = 0; element < 2; ++element) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          int const j = 4 * i + 2 * half + element;
          float& to = accum[0][part * Count + j];
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
