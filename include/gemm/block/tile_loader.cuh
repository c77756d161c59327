// SPDX-License-Identifier: BSL-1.0
//! @file
//! An operand's tiles from global to shared memory through registers, turned on the way where needed.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/chunk_map.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Moves the Outer x K tiles of an operand, from k = 0 on, into shared memory laid out [k][outer] (SharedMajor mn) or
/// [outer][k] (SharedMajor k). Width is the number of elements of a global access: 1, or 16 bytes' worth where the
/// operand's addresses allow it.
template <class T, major Major, major SharedMajor, int Outer, int K, int Threads, int Width>
class tile_loader : tile_walk<T, Major, SharedMajor, Outer, K, Threads, Width> {
  using walk = tile_walk<T, Major, SharedMajor, Outer, K, Threads, Width>;
  using typename walk::chunks;

 public:
  __device__ tile_loader(operand<T, Major> const& from, std::int64_t outer0) : walk(from, outer0) {}

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
          staged_[i].element[e] = e < valid ? walk::chunk(i)[e] : T(0);
        }
      }
    }
    walk::advance();
  }

  /// Registers to shared memory: what the last fetch() brought.
  template <int Rows, int Pitch>
  __device__ void commit(T (&shared)[Rows][Pitch]) const {
    static_assert(Rows == (SharedMajor == major::mn ? K : Outer));
#pragma unroll
    for (int i = 0; i < chunks::count; ++i) {
      if (chunks::has(i)) {
        int const outer = chunks::outer(i), k = chunks::k(i);
        if constexpr (Major == major::mn && SharedMajor == major::mn) {
          store_vector(&shared[k][outer], staged_[i]);
        } else {
#pragma unroll
          for (int e = 0; e < Width; ++e) {
            int const outer_e = Major == major::k ? outer : outer + e, k_e = Major == major::k ? k + e : k;
            (SharedMajor == major::mn ? shared[k_e][outer_e] : shared[outer_e][k_e]) = staged_[i].element[e];
          }
        }
      }
    }
  }

 private:
  vector<T, Width> staged_[chunks::count] = {};
};

}  // namespace gemm::detail
