// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tiles of a narrow operand from global to shared memory, fetched ahead and widened on arrival.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/chunk_map.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/tile_loader.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// The counterpart of async_tile_loader for narrow elements: cp.async copies bytes and cannot widen. So a tile waits in
/// registers, packed, while the one before it is multiplied.
///
/// Aligned says whether the operand's chunks of Width elements may be accessed at once. Otherwise, and in tiles that
/// reach over the operand's edge, nothing is fetched ahead and commit() copies element by element. Kept for both cases,
/// the elements would spill.
template <class T, major Major, int Outer, int K, int Threads, int Width, bool Aligned,
          class View = operand_view<T, Major>>
class widening_tile_loader : tile_walk<T, Major, major::mn, Outer, K, Threads, Width, View> {
  using walk = tile_walk<T, Major, major::mn, Outer, K, Threads, Width, View>;
  using typename walk::chunks;

 public:
  __device__ widening_tile_loader(View const& from, std::int64_t outer0) : walk(from, outer0) {}

  /// Starts to read the next tile, where k_left is what the operand has of k from there on.
  __device__ void fetch(std::int64_t k_left) {
    if (Aligned && walk::whole(k_left)) {
#pragma unroll
      for (int i = 0; i < chunks::count; ++i) {
        if (chunks::has(i)) {
          staged_[i] = load_packed<Width>(walk::chunk(i));
        }
      }
    }
  }

  /// Completes what fetch() has started. Elements outside the operand become 0, as in the other loaders.
  template <class Accum, int Pitch>
  __device__ void commit(Accum (&shared)[K][Pitch], std::int64_t k_left) {
    if (Aligned && walk::whole(k_left)) {
#pragma unroll
      for (int i = 0; i < chunks::count; ++i) {
        if (chunks::has(i)) {
          store_chunk<Major, major::mn>(shared, chunks::outer(i), chunks::k(i), unpacked<T, Width>(staged_[i]));
        }
      }
    } else if (k_left > 0) {
#pragma unroll
      for (int i = 0; i < chunks::count; ++i) {
        int const valid = walk::valid(i, k_left);
        if (chunks::has(i)) {
#pragma unroll
          for (int e = 0; e < Width; ++e) {
            vector<T, 1> const one{e < valid ? walk::chunk(i)[e] : T{}};
            store_chunk<Major, major::mn>(shared, chunks::outer(i) + (Major == major::mn ? e : 0),
                                          chunks::k(i) + (Major == major::k ? e : 0), one);
          }
        }
      }
    }
    walk::advance();
  }

 private:
  packed<T, Width> staged_[chunks::count] = {};
};

}  // namespace gemm::detail
