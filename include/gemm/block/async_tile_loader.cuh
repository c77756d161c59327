// SPDX-License-Identifier: BSL-1.0
//! @file
//! An operand's tiles from global to shared memory by cp.async: no registers in between, and the thread goes on.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/block/chunk_map.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/problem.cuh>

namespace gemm::detail {

/// Copies the Outer x K tiles of an operand, from k = 0 on, into shared memory laid out [k][outer]. Width is the number
/// of elements of a copy. It is 1 for k-major operands, whose neighbours in global memory are apart in shared memory.
/// It is 16 bytes for mn-major ones whose addresses allow it.
template <class T, major Major, int Outer, int K, int Threads, int Width, class View = operand_view<T, Major>>
class async_tile_loader : tile_walk<T, Major, major::mn, Outer, K, Threads, Width, View> {
  static_assert(Major == major::mn || Width == 1, "gemm: cp.async cannot transpose within a copy.");
  using walk = tile_walk<T, Major, major::mn, Outer, K, Threads, Width, View>;
  using typename walk::chunks;
  static constexpr int element = static_cast<int>(sizeof(T));
  // More addresses than registers would hold.
  static constexpr int unrolled = is_gathered_view<View> ? 1 : chunks::count > 32 ? 4 : chunks::count;

 public:
  __device__ async_tile_loader(View const& from, std::int64_t outer0) : walk(from, outer0) {}

  /// Starts the copies of the next tile, where k_left is the operand's k from there on. The caller commits them to a
  /// group and waits for it. Elements outside the operand become 0, which adds nothing: both operands are 0 there.
  template <int Pitch>
  __device__ void start(T (&shared)[K][Pitch], std::int64_t k_left) {
    if (walk::whole(k_left)) {
#pragma unroll unrolled
      for (int i = 0; i < chunks::count; ++i) {
        if (chunks::has(i)) {
          arch::cp_async<Width * element>(target(shared, i), walk::chunk(i));
        }
      }
    } else {
#pragma unroll unrolled
      for (int i = 0; i < chunks::count; ++i) {
        if (chunks::has(i)) {
          int const valid = walk::valid(i, k_left);
          arch::cp_async_zfill<Width * element>(target(shared, i), walk::chunk(i, valid > 0), valid * element);
        }
      }
    }
    walk::advance();
  }

  /// Starts the part-th of so many parts of the copies of the next tile, where k_left is as in start(), or not above 0.
  /// Rows (columns) outside the operand are left as they are, for sums that nobody stores.
  template <int Pitch>
  __device__ void start_part(T (&shared)[K][Pitch], int part, int parts, std::int64_t k_left) {
    int const outers = k_left > 0 ? walk::outer_from_own() : 0, depth = walk::k_from_own(k_left);
#pragma unroll
    for (int i = chunks::count * part / parts; i < chunks::count * (part + 1) / parts; ++i) {
      arch::cp_async_below<Width * element>(chunks::outer_from_first(i), chunks::has(i) ? outers : 0,
                                            chunks::k_from_first(i), depth, target_from_first(shared, i),
                                            walk::chunk(i));
    }
    if (part + 1 == parts) {
      walk::advance();
    }
  }

 private:
  /// Where chunk i goes: an address, and a register, for each chunk.
  template <int Pitch>
  __device__ static T* target(T (&shared)[K][Pitch], int i) {
    int const outer = chunks::outer(i), k = chunks::k(i);
    return &shared[k][outer];
  }

  template <int Pitch>
  __device__ static T* target_from_first(T (&shared)[K][Pitch], int i) {
    return target(shared, 0) + chunks::k_from_first(i) * Pitch + chunks::outer_from_first(i);
  }
};

}  // namespace gemm::detail
