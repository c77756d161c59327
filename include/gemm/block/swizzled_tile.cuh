// SPDX-License-Identifier: BSL-1.0
//! @file
//! A tile of an operand in shared memory as TMA loads it and wgmma reads it: rows of 128 bytes or less, swizzled.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Outer in a row of an mn-major tile: 128 bytes, or of a narrow tile what divides it.
constexpr int outer_of_line(int outer, int element) {
  int const most = 128 / element;
  return element == 2 && outer > 128 ? most : greatest_common_divisor(outer, most);
}

/// Outer of a tile with whole rows, as its memory holds them.
constexpr int in_whole_lines(int outer, int element) {
  int const line = outer_of_line(outer, element);
  return (outer + line - 1) / line * line;
}

/// A tile of Outer x K elements, outer being m for A and n for B. It begins at a multiple of 1024 bytes.
///
///     k-major    one box: a row of K elements for each outer
///     mn-major   a box for each 64 outer, one after the other: a row of 64 outer for each k; or where a tile of up to
///                128 has no multiple of 64 for each 32 or 16. A wider one loads the rest of its last box, too, which
///                is not read: rows of less than 128 bytes lie in the same banks (docs/tuning-notes.md, boxes).
///                Of tf32 for each 32, which wgmma does not read so
template <class T, major Major, int Outer, int K>
struct swizzled_tile {
  using atom = arch::wgmma_atom<T>;
  static constexpr bool by_k = Major == major::k, needs_transposing = !by_k && !atom::mn_major;
  static constexpr int element = static_cast<int>(sizeof(T));
  static constexpr int line = by_k ? K : outer_of_line(Outer, element), line_bytes = line * element;
  static constexpr int whole = by_k ? Outer : in_whole_lines(Outer, element), bytes = whole * K * element;
  static_assert((element == 1 || element == 2 || element == 4) && K * element == 128 &&
                Outer % (by_k || Outer > 128 ? 8 : 16) == 0);

  /// Outer that are loaded of a tile in Parts parts: in each of a k-major tile, in all of an mn-major one. Tiles with
  /// fewer outer within the operand have smaller boxes: TMA takes longer for zeros beyond it than for elements
  /// (docs/tuning-notes.md, boxes).
  template <int Parts>
  static constexpr int most = by_k ? Outer / Parts : whole;
  template <int Parts>
  static constexpr int loaded_of(int within) {
    constexpr int box = by_k ? 8 : line, of_all = by_k ? box * Parts : box;
    int const needed = (within + of_all - 1) / of_all * box;
    return needed < most<Parts> ? needed : most<Parts>;
  }
  template <int Parts>
  __device__ static constexpr int bytes_of(int count) {
    return count * (by_k ? Parts * line_bytes : K * element);
  }

  /// Loads one of Parts parts of the tile whose first element is (outer, k), to all of `blocks` of the cluster; others
  /// load the rest. By one thread, for bytes_of() that `full` expects. The rows of a part are neighbours: some of the
  /// outer of a k-major tile, some of the k of an mn-major one. `once`: whether no other blocks read it. `count`: most,
  /// or loaded_of() by a map of such boxes.
  template <int Parts>
  __device__ static void load_part(unsigned char* tile, CUtensorMap const& map, arch::mbarrier& full, int outer, int k,
                                   int batch, int part, unsigned blocks, bool once = false, int count = most<Parts>) {
    static_assert((by_k ? Outer : K) / Parts % 8 == 0);
    int const lines = by_k ? count : K / Parts;
    tile += part * lines * line_bytes;
    outer += by_k ? part * lines : 0;
    k += by_k ? 0 : part * lines;
#pragma unroll
    for (int begin = 0; begin < whole; begin += by_k ? whole : line) {
      if (!by_k && begin >= count) {
        break;
      }
      unsigned char* const to = tile + begin * (K * element);
      int const x = by_k ? k : outer + begin, y = by_k ? outer : k;
      if constexpr (Parts > 1) {
        once ? arch::tma_load_multicast_once(to, map, full, x, y, batch, blocks)
             : arch::tma_load_multicast(to, map, full, x, y, batch, blocks);
      } else {
        once ? arch::tma_load_once(to, map, full, x, y, batch) : arch::tma_load(to, map, full, x, y, batch);
      }
    }
  }

  /// What wgmma reads of a tile, if it can, from `outer` on, a multiple of 64.
  __device__ static arch::matrix_descriptor matrix(unsigned char const* tile, int outer) {
    constexpr int piece = 8 * line_bytes;
    return arch::describe_matrix<!by_k, line_bytes>(tile + outer * (K * element), by_k ? piece : line_bytes * K, piece);
  }

  /// Bytes from the elements of one wgmma to those of the next.
  static constexpr int depth = atom::k, step = by_k ? 32 : depth * line_bytes;
};

}  // namespace gemm::detail
