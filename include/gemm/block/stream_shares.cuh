// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stream-K of blocks that stay: before their whole tiles, of which they have equally many, they have parts of those
//! that would be left over.
//!
//!     tiles left   | owner: k from 0 on         | helper |     an owner for each, and of the other clusters of
//!                  | owner                      | helper |     blocks one for each, several or none
//!
//! An owner's part takes as long as all of a helper's. They come first, so that nothing is left to add while the last
//! tiles end, and all begin at the same k, so that the L2 still has what they share (H200, bf16 nt 4096x4096x14336 in
//! 128 x 256: 680 us without, and 820 with as many steps for each block, wherever in k they begin). Of the two warps
//! that have sums of the same rows, the first leaves its own in the workspace, and the other adds both; neither waits.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/stream_slices.cuh>
#include <gemm/block/vector.cuh>

namespace gemm {

/// A problem whose first tiles are shared. Not for users; it is not in detail for the kernels' symbols.
template <class Problem>
struct shared_tiles_problem : Problem {
  int shared_tiles;              // each has an owner, and all other clusters of blocks help
  int owned;                     // block_k, of each of them: the first ones
  float* sums;                   // [tile][block of the cluster][side][warp]
  unsigned long long* arrivals;  // [tile][block of the cluster][warp]: see arrive_as_last()
};

namespace detail {

/// Whether a kernel's blocks share tiles.
template <class Problem>
inline constexpr bool has_shared_tiles = false;
template <class Problem>
inline constexpr bool has_shared_tiles<shared_tiles_problem<Problem>> = true;

/// What a block has of C, one after the other: whole tiles, each so many-th as there are blocks.
template <class Problem>
struct part_walk {
  unsigned tile = blockIdx.x;

  __device__ explicit part_walk(Problem const&) {}
  __device__ void advance(Problem const&) { tile += gridDim.x; }
  __device__ static constexpr bool is_whole() { return true; }
  /// Of block_k, of which a whole tile has so many.
  __device__ static int steps(Problem const&, int of_tile) { return of_tile; }
};

/// Likewise, but first the cluster's parts of the shared tiles. What does not change from one part to the next is asked
/// for again: registers are short.
template <class Problem>
struct part_walk<shared_tiles_problem<Problem>> {
  using problem = shared_tiles_problem<Problem>;
  unsigned tile = blockIdx.x;
  bool is_part = true;

  __device__ explicit part_walk(problem const& p) {
    if (helps(p)) {
      tile -= shared(p);
      if (tile >= shared(p)) {
        take_whole(p);
      }
    }
  }

  __device__ void advance(problem const& p) {
    unsigned const next = tile + gridDim.x - shared(p);  // of a helper's
    if (!is_part) {
      tile += gridDim.x;
    } else if (helps(p) && next < shared(p)) {
      tile = next;
    } else {
      take_whole(p);
    }
  }

  __device__ bool is_whole() const { return !is_part; }
  __device__ static bool helps(problem const& p) { return blockIdx.x >= shared(p); }
  __device__ int steps(problem const& p, int of_tile) const {
    return is_whole() ? of_tile : helps(p) ? of_tile - p.owned : p.owned;
  }
  /// Steps before them.
  __device__ int first(problem const& p) const { return is_part && helps(p) ? p.owned : 0; }

 private:
  __device__ static unsigned shared(problem const& p) { return static_cast<unsigned>(p.shared_tiles); }
  __device__ void take_whole(problem const& p) {
    tile = blockIdx.x + shared(p);
    is_part = false;
  }
};

/// What of k a block sums of the walk's tile.
template <class Policy, class Problem>
__device__ k_range range_of_walk(shared_tiles_problem<Problem> const& p,
                                 part_walk<shared_tiles_problem<Problem>> const& at, block_tile const& tile) {
  int const of_tile = static_cast<int>((p.k + Policy::block_k - 1) / Policy::block_k);
  std::int64_t const first = std::int64_t{at.first(p)} * Policy::block_k, left = p.k - first,
                     depth = std::int64_t{at.steps(p, of_tile)} * Policy::block_k;
  return {tile.batch, first, left < depth ? left : depth};
}

/// Elements of the workspace, and numbers in it, for a shared tile.
template <class Policy>
inline constexpr std::int64_t blocks_of_tile = std::int64_t{Policy::cluster_m} * Policy::cluster_n;
template <class Policy>
inline constexpr std::int64_t elements_of_shared = 2 * blocks_of_tile<Policy>* elements_of_slice<Policy>;
template <class Policy>
inline constexpr std::int64_t arrivals_of_shared = blocks_of_tile<Policy>*(Policy::consumer_threads / 32);

/// Whether a warp, which calls it with its sums, is to store them: the tile is whole, or the warp has added what
/// another has of the same rows, which had come before. Two numbers, so that their order does not matter. `block`: of
/// the cluster.
template <class Policy, class Problem, int Sums>
__device__ bool complete_part(Problem const& p, part_walk<Problem> const& at, int block, float (&sum)[Sums]) {
  if constexpr (has_shared_tiles<Problem>) {
    if (at.is_whole()) {
      return true;
    }
    constexpr int warps = Policy::consumer_threads / 32, of_warp = Sums * 32;
    int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads, warp = thread / 32, lane = thread % 32;
    std::int64_t const place = std::int64_t{at.tile} * blocks_of_tile<Policy> + block;
    int const side = at.helps(p) ? 1 : 0;
    float* const sums = p.sums + (place * 2 * warps + warp) * of_warp + lane * 4;
    unsigned long long& arrivals = p.arrivals[place * warps + warp];
    bool last = lane == 0 && has_come_of_two(arrivals);
    if (__shfl_sync(0xffffffffU, last ? 1 : 0, 0) == 0) {
      float* const mine = sums + side * (warps * of_warp);
#pragma unroll
      for (int j = 0; j < Sums; j += 4) {
        store_vector(mine + j * 32, vector<float, 4>{sum[j], sum[j + 1], sum[j + 2], sum[j + 3]});
      }
      __syncwarp();  // for all of the warp's to be there
      last = lane == 0 && arrive_as_last(arrivals, 2);
      if (__shfl_sync(0xffffffffU, last ? 1 : 0, 0) == 0) {
        return false;
      }
    }
    float const* const others = sums + (1 - side) * (warps * of_warp);
#pragma unroll
    for (int j = 0; j < Sums; j += 4) {
      auto const piece = load_vector<4>(others + j * 32);
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        sum[j + e] += piece.element[e];
      }
    }
  }
  return true;
}

}  // namespace detail

}  // namespace gemm
