// SPDX-License-Identifier: BSL-1.0
//! @file
//! A tile of an operand in shared memory as TMA brings it and wgmma reads it: lines of 128 bytes, swizzled.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/block/problem.cuh>

namespace gemm::detail {

/// A tile of Outer x K elements, outer being m for A and n for B. It begins at a multiple of 1024 bytes.
///
///     k-major    one box: a line of K elements for each outer
///     mn-major   a box for each 64 outer, one after the other: a line of 64 outer for each k
template <class T, major Major, int Outer, int K>
struct swizzled_tile {
  static constexpr bool by_k = Major == major::k;
  static constexpr int line_bytes = 128, line = line_bytes / static_cast<int>(sizeof(T));
  static constexpr int bytes = Outer * K * static_cast<int>(sizeof(T));
  static_assert(sizeof(T) == 2 && K == line && Outer % line == 0);

  /// Has a tile brought whose first element is (outer, k): `bytes` that `full` expects. By one thread.
  __device__ static void load(unsigned char* tile, CUtensorMap const& map, arch::mbarrier& full, int outer, int k,
                              int batch) {
    load_part<1>(tile, map, full, outer, k, batch, 0, 1);
  }

  /// Has one of Parts parts of it brought, to all of `blocks` of the cluster: of a tile that others bring the rest of.
  template <int Parts>
  __device__ static void load_part(unsigned char* tile, CUtensorMap const& map, arch::mbarrier& full, int outer, int k,
                                   int batch, int part, unsigned blocks) {
    constexpr int height = Outer / Parts, box_height = by_k ? height : line;
    static_assert(height % line == 0 || (by_k && Outer % (8 * Parts) == 0));
    tile += part * (bytes / Parts);
    outer += part * height;
#pragma unroll
    for (int begin = 0; begin < height; begin += box_height) {
      unsigned char* const to = tile + begin * line_bytes;
      int const x = by_k ? k : outer + begin, y = by_k ? outer + begin : k;
      if constexpr (Parts == 1) {
        arch::tma_load(to, map, full, x, y, batch);
      } else {
        arch::tma_load_multicast(to, map, full, x, y, batch, blocks);
      }
    }
  }

  /// What wgmma reads of a tile from `outer` on, a multiple of 64.
  __device__ static arch::matrix_descriptor matrix(unsigned char const* tile, int outer) {
    constexpr int piece = 8 * line_bytes;
    return arch::describe_matrix<!by_k>(tile + outer * (K * static_cast<int>(sizeof(T))), by_k ? piece : line_bytes * K,
                                        piece);
  }

  /// Bytes from the elements of one wgmma, 32 bytes' worth of k, to those of the next.
  static constexpr int depth = 32 / static_cast<int>(sizeof(T)), step = by_k ? 32 : depth * line_bytes;
};

}  // namespace gemm::detail
