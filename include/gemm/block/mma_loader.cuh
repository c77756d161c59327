// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loads tiles for mma.sync by cp.async, by all threads of a block; zeros where the operand ends.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/mma_tile.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Wide: rows and columns begin at multiples of 16 bytes. Else the width of copies, 16, 8 or 4 bytes, or of elements
/// through registers, is found at run time: one operand may be misaligned and the other not.
template <class T, class Tile, major Major, int Threads, bool Wide, class View = operand_view<T, Major>>
class mma_loader : rows_of_loader<View, Tile::rows * Tile::row_bytes / 16 / Threads, Wide> {
  using rows_of_view = rows_of_loader<View, Tile::rows * Tile::row_bytes / 16 / Threads, Wide>;
  static constexpr int element = Tile::element, pieces = Tile::row_bytes / 16, at_once = Threads / pieces;
  static constexpr bool k_major = Tile::k_major;

 public:
  /// Pieces of a tile that a thread copies.
  static constexpr int count = Tile::rows / at_once;
  static_assert(Threads % pieces == 0 && Tile::rows % at_once == 0 &&
                    (k_major || Tile::k % at_once == 0 || at_once % Tile::k == 0),
                "gemm: all threads of sm80_mma must copy alike. Change the block or the number of its warps.");

  /// The tiles from `outer` and `k` on.
  __device__ mma_loader(View const& view, std::int64_t outer, std::int64_t k, int thread)
      : ld_(view.ld), to_(offset_of(thread)) {
    int const row = thread / pieces, piece = thread % pieces * (16 / element);
    int const in_outer = k_major ? row : piece + row / Tile::k * Tile::in_row;
    of_k_ = k_of(thread);
    outer_left_ = (view.extent - outer < Tile::outer ? static_cast<int>(view.extent - outer) : Tile::outer) - in_outer;
    whole_pieces_ = Wide && (k_major || view.extent - outer >= Tile::outer || view.extent % (16 / element) == 0);
    if (view.depth > 0) {  // else the operand may be null
      next_ = rows_of_view::template begin<at_once>(view, outer + in_outer, k + of_k_);
    }
    if constexpr (!Wide) {
      auto const bytes = reinterpret_cast<std::uintptr_t>(view.data) |
                         static_cast<std::uintptr_t>(view.ld) * static_cast<std::uintptr_t>(element);
      width_ = bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 0;
    }
  }

  /// Sets what depends on the thread alone anew, before load() where there are no registers to keep it in.
  __device__ void locate(int thread) {
    to_ = offset_of(thread);
    of_k_ = k_of(thread);
  }

  /// Whether load_whole() can load tiles in which k does not end. It leaves out rows outside a k-major operand, but
  /// pieces cannot be cut.
  __device__ bool has_whole_pieces() const { return whole_pieces_; }

  /// Starts the copies of part `part` of `parts` of such a tile. Rows outside a k-major operand are left as they are:
  /// nothing of them is stored.
  __device__ void load_whole(unsigned char* tile, int part, int parts) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (i * parts / count == part) {
        constexpr int one = k_major ? 1 : Tile::k;
        arch::cp_async_below<16>(i * at_once / one * (k_major ? 1 : Tile::in_row), outer_left_, tile + offset(i),
                                 source(i));
      }
    }
  }

  /// The same of any tile, of which the operand has `k_left` of k. Narrow copies one after the other: they are a large
  /// code.
  __device__ void load(unsigned char* tile, int k_left, int part, int parts) const {
    int const of_k_left = k_left - of_k_;
#pragma unroll(Wide ? count : 1)
    for (int i = 0; i < count; ++i) {
      if (i * parts / count == part) {
        // Of the row, and of its elements from the thread's on.
        int const rows = k_major ? outer_left_ - i * at_once : of_k_left - i * at_once % Tile::k;
        int const along = k_major ? of_k_left : outer_left_ - i * at_once / Tile::k * Tile::in_row;
        bool const exists = !is_gathered_view<View> || rows > 0;
        copy(tile + offset(i), source(i, exists), rows > 0 ? clamp(along * element, 16) : 0);
      }
    }
  }

  /// So many tiles on along k.
  __device__ void advance(int tiles) { next_ += std::int64_t{tiles} * Tile::k * (k_major ? 1 : ld_); }

 private:
  __device__ static int offset_of(int thread) { return Tile::offset(thread / pieces, thread % pieces); }
  __device__ static int k_of(int thread) {
    return k_major ? thread % pieces * (16 / element) : thread / pieces % Tile::k;
  }
  __device__ T const* source(int i, bool exists = true) const {
    return k_major ? rows_of_view::template line<at_once>(next_, i, ld_, exists)
                   : next_ + (i * at_once % Tile::k * ld_ + i * at_once / Tile::k * Tile::in_row);
  }
  __device__ int offset(int i) const { return (to_ ^ (Tile::key(i * at_once) * 16)) + i * at_once * Tile::row_bytes; }

  __device__ static int clamp(int x, int most) { return x < 0 ? 0 : x < most ? x : most; }

  __device__ void copy(unsigned char* to, T const* from, int bytes) const {
    if (Wide || width_ == 16) {
      arch::cp_async_zfill<16>(to, from, bytes);
    } else if (element == 8 || width_ == 8) {
      copy_narrow<8>(to, from, bytes);
    } else if (element == 4 || width_ == 4) {
      copy_narrow<4>(to, from, bytes);
    } else {
      vector<T, 16 / element> piece;
#pragma unroll
      for (int e = 0; e < 16 / element; ++e) {
        piece.element[e] = e * element < bytes ? from[e] : T{};
      }
      store_vector(reinterpret_cast<T*>(to), piece);
    }
  }
  template <int Width>
  __device__ static void copy_narrow(unsigned char* to, T const* from, int bytes) {
#pragma unroll
    for (int b = 0; b < 16; b += Width) {
      int const valid = clamp(bytes - b, Width);
      arch::cp_async_zfill<Width>(to + b, reinterpret_cast<unsigned char const*>(from) + (valid > 0 ? b : 0), valid);
    }
  }

  T const* next_ = nullptr;
  std::int64_t ld_;
  int of_k_, outer_left_;  // the k of the thread's first element, and how many outer there are from it on
  int to_, width_ = 16;
  bool whole_pieces_;
};

}  // namespace gemm::detail
