// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which thread moves which pieces of an operand's tile, so that global and shared memory are both accessed well.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// The chunks of Width elements of an Outer x K tile that each of Threads threads moves. `Major` says which index is
/// contiguous in global memory, `SharedMajor` in shared memory.
///
/// Neighbouring threads take neighbouring chunks along the contiguous direction of global memory. Where a k-major
/// operand is transposed to shared[k][outer], they take one 32-byte sector of a row and then the next row. Sectors are
/// then fully used. Rows of shared memory are padded by 4 elements, so the stores of a warp have no bank conflicts:
/// bank = 4 * k + outer, k below 8, for 4-byte elements.
template <class T, major Major, major SharedMajor, int Outer, int K, int Threads, int Width>
struct chunk_map {
  static constexpr bool turned = Major == major::k && SharedMajor == major::mn;
  static constexpr int fast_extent = (Major == major::k ? K : Outer) / Width;
  static constexpr int slow_extent = Major == major::k ? Outer : K;
  static constexpr int sector = 32 / static_cast<int>(sizeof(T)) / Width;
  static constexpr int fast_threads = greatest_common_divisor(fast_extent, turned ? sector : Threads);
  static constexpr int slow_threads = Threads / fast_threads;
  static constexpr int fast_passes = fast_extent / fast_threads;
  static constexpr int slow_passes = (slow_extent + slow_threads - 1) / slow_threads;
  static constexpr int count = fast_passes * slow_passes;  ///< chunks a thread moves at most

  /// Whether this thread has a chunk number i (0 to count - 1).
  __device__ static bool has(int i) { return slow_extent % slow_threads == 0 || slow(i) < slow_extent; }

  /// The first element of the thread's chunk number i, relative to the tile.
  __device__ static int outer(int i) { return Major == major::k ? slow(i) : fast(i); }
  __device__ static int k(int i) { return Major == major::k ? fast(i) : slow(i); }

  /// Where that is, relative to chunk 0 of the same thread.
  __host__ __device__ static constexpr int outer_from_first(int i) {
    return Major == major::k ? i / fast_passes * slow_threads : i % fast_passes * (fast_threads * Width);
  }
  __host__ __device__ static constexpr int k_from_first(int i) {
    return Major == major::k ? i % fast_passes * (fast_threads * Width) : i / fast_passes * slow_threads;
  }

  /// Where chunk i begins in global memory, relative to chunk 0 of the same thread.
  __device__ static std::int64_t offset(int i, std::int64_t ld) {
    return i / fast_passes * (slow_threads * ld) + i % fast_passes * (fast_threads * Width);
  }

 private:
  __device__ static int fast(int i) {
    return (static_cast<int>(threadIdx.x) % fast_threads + i % fast_passes * fast_threads) * Width;
  }
  __device__ static int slow(int i) {
    return static_cast<int>(threadIdx.x) / fast_threads + i / fast_passes * slow_threads;
  }
};

/// Elements of an operand's tile that a thread of the policy takes at once where addresses allow it: 16 bytes. But no
/// more than divide a row of the tile, and for narrow elements no more than leave work for every thread
/// (docs/tuning-notes.md, vectorized).
template <class T, major Major, class Policy>
inline constexpr int loader_width = [] {
  constexpr int outer = greatest_common_divisor(Policy::block_m, Policy::block_n);
  constexpr int along = Major == major::k ? Policy::block_k : outer;
  constexpr int line = widest_in<T, along>;
  constexpr int share = outer * Policy::block_k / Policy::threads;
  return sizeof(T) >= 4 || share == 0 ? line : greatest_common_divisor(line, share);
}();

/// A thread's walk over the tiles of an operand along k: what the loaders of both kinds have in common.
template <class T, major Major, major SharedMajor, int Outer, int K, int Threads, int Width,
          class View = operand_view<T, Major>>
class tile_walk : rows_of_loader<View, chunk_map<T, Major, SharedMajor, Outer, K, Threads, Width>::slow_passes, false> {
 protected:
  using chunks = chunk_map<T, Major, SharedMajor, Outer, K, Threads, Width>;

  /// The tiles start at row (column) outer0 of the operand and at k = 0.
  __device__ tile_walk(View const& from, std::int64_t outer0)
      : ld_(from.ld), outer_left_(from.extent - outer0 < Outer ? static_cast<int>(from.extent - outer0) : Outer) {
    if (from.depth > 0) {  // else the operand may be null
      next_ = rows::template begin<chunks::slow_threads>(from, outer0 + chunks::outer(0), chunks::k(0));
    }
  }

  /// Whether the next tile lies inside the operand: the same for the whole block.
  __device__ bool whole(std::int64_t k_left) const { return outer_left_ == Outer && k_left >= K; }

  /// How many rows (columns) of the operand there are from that of the thread's chunk 0 on.
  __device__ int outer_from_own() const { return outer_left_ - chunks::outer(0); }

  /// How many k of the next tile from that of chunk 0 on.
  __device__ static int k_from_own(std::int64_t k_left) {
    return (k_left < K ? static_cast<int>(k_left) : K) - chunks::k(0);
  }

  /// The thread's chunk number i of the next tile; any address of the operand where it has none of it.
  __device__ T const* chunk(int i, bool exists = true) const {
    if constexpr (is_gathered_view<View>) {
      return rows::template line<chunks::slow_threads>(next_, i / chunks::fast_passes, ld_, exists) +
             chunks::k_from_first(i);
    } else {
      return next_ + chunks::offset(i, ld_);
    }
  }

  /// How many elements of chunk i lie inside the operand.
  __device__ int valid(int i, std::int64_t k_left) const {
    int const outer = outer_left_ - chunks::outer(i), k = (k_left < K ? static_cast<int>(k_left) : K) - chunks::k(i);
    int const along = Major == major::k ? k : outer, across = Major == major::k ? outer : k;
    return across <= 0 || along <= 0 || !chunks::has(i) ? 0 : along < Width ? along : Width;
  }

  __device__ void advance() { next_ += Major == major::k ? K : K * ld_; }

 private:
  using rows = rows_of_loader<View, chunks::slow_passes, false>;
  T const* next_ = nullptr;
  std::int64_t ld_;
  int outer_left_;  // Outer or fewer
};

}  // namespace gemm::detail
