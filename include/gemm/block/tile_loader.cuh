// SPDX-License-Identifier: BSL-1.0
//! @file
//! An operand's tiles from global to shared memory through registers, transposed where needed.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/chunk_map.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>

namespace gemm::detail {

/// Widens a chunk of an operand to the accumulator's type and stores it to a tile in shared memory. (outer, k) is its
/// first element.
template <major Major, major SharedMajor, class Accum, int Rows, int Pitch, class T, int Width>
__device__ void store_chunk(Accum (&shared)[Rows][Pitch], int outer, int k, vector<T, Width> const& chunk) {
  if constexpr (Major == SharedMajor) {
    constexpr int width = widest_in<Accum, Width>;
#pragma unroll
    for (int e = 0; e < Width; e += width) {
      vector<Accum, width> part;
#pragma unroll
      for (int j = 0; j < width; ++j) {
        part.element[j] = widen(chunk.element[e + j]);
      }
      store_vector(Major == major::mn ? &shared[k][outer + e] : &shared[outer][k + e], part);
    }
  } else {
#pragma unroll
    for (int e = 0; e < Width; ++e) {
      int const outer_e = Major == major::k ? outer : outer + e, k_e = Major == major::k ? k + e : k;
      (SharedMajor == major::mn ? shared[k_e][outer_e] : shared[outer_e][k_e]) = widen(chunk.element[e]);
    }
  }
}

/// Moves the Outer x K tiles of an operand, from k = 0 on, into shared memory. They are laid out [k][outer]
/// (SharedMajor mn) or [outer][k] (SharedMajor k). Shared memory holds the accumulator's type: an element is widened
/// once, not each time it is read.
///
/// Width is the number of elements of a global access: 1, or up to 16 bytes' worth where the operand's addresses allow
/// it.
template <class T, major Major, major SharedMajor, int Outer, int K, int Threads, int Width>
class tile_loader : tile_walk<T, Major, SharedMajor, Outer, K, Threads, Width> {
  using walk = tile_walk<T, Major, SharedMajor, Outer, K, Threads, Width>;
  using typename walk::chunks;

 public:
  __device__ tile_loader(operand_view<T, Major> const& from, std::int64_t outer0) : walk(from, outer0) {}

  /// Global memory to registers: the next tile, where k_left is what the operand has of k from there on. Elements
  /// outside the operand are 0, which adds nothing to a sum: both operands are 0 there.
  __device__ void fetch(std::int64_t k_left) {
    if (walk::whole(k_left)) {
#pragma unroll
      for (int i = 0; i < chunks::count; ++i) {
        if (chunks::has(i)) {
          staged_[i] = load_vector<Width>(walk::chunk(i));
        }
      }
    } else {
#pragma unroll
      for (int i = 0; i < chunks::count; ++i) {
        int const valid = walk::valid(i, k_left);
#pragma unroll
        for (int e = 0; e < Width; ++e) {
          staged_[i].element[e] = e < valid ? walk::chunk(i)[e] : T{};
        }
      }
    }
    walk::advance();
  }

  /// Registers to shared memory: the elements of the last fetch(), widened to the accumulator's type.
  template <class Accum, int Rows, int Pitch>
  __device__ void commit(Accum (&shared)[Rows][Pitch]) const {
    static_assert(Rows == (SharedMajor == major::mn ? K : Outer));
#pragma unroll
    for (int i = 0; i < chunks::count; ++i) {
      if (chunks::has(i)) {
        int const outer = chunks::outer(i), k = chunks::k(i);
        store_chunk<Major, SharedMajor>(shared, outer, k, staged_[i]);
      }
    }
  }

 private:
  vector<T, Width> staged_[chunks::count] = {};
};

}  // namespace gemm::detail
