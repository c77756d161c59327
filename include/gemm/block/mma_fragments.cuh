// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warp's fragments of one operand, from a tile in shared memory to the registers of mma.sync.
//!
//!     tile               read by              of 64 outer x 32 bytes of k (doubles: 64)    then
//!     k-major            ldmatrix.x4          4
//!     16-bit, mn-major   ldmatrix.x4.trans    4
//!     int8, mn-major     ldmatrix.x4.trans    4                                            16 prmt
//!     tf32, mn-major     ld.shared.v4         4, straight into fragments (of 16 outer: 4 of a word)
//!     double             ld.shared.f64        16, straight into fragments
//!
//! No read has bank conflicts. tf32 is rounded in registers. 16-byte loads of doubles would load two k of a row, where
//! A's neighbouring registers are two rows of a k: ptxas then moves A before each multiplication.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/ldmatrix.cuh>
#include <gemm/arch/mma.cuh>
#include <gemm/arch/mma_atom.hpp>
#include <gemm/arch/shared_load.cuh>
#include <gemm/block/mma_tile.cuh>

namespace gemm::detail {

/// The words of Outer x one atom's k, of A or (Second) of B. Word at(h, q) of the i-th 16 outer is of half h of these
/// and of half q of k.
template <class Atom, int Outer, bool Second>
struct mma_fragments {
  __host__ __device__ static constexpr int at(int h, int q) { return Second ? q + 2 * h : h + 2 * q; }
  typename Atom::word word[Outer / 16][4];

  /// What the atom multiplies of the i-th 16 rows, as A.
  __device__ void get_a(typename Atom::word (&a)[Atom::words_a], int i) const {
#pragma unroll
    for (int w = 0; w < Atom::words_a; ++w) {
      a[w] = word[i][w];
    }
  }
  /// Of the j-th 8 columns, as B.
  __device__ void get_b(typename Atom::word (&b)[Atom::words_b], int j) const {
#pragma unroll
    for (int w = 0; w < Atom::words_b; ++w) {
      b[w] = word[j / 2][2 * (j % 2) + w];
    }
  }
};

/// Reads a warp's fragments of Outer from a tile. A thread keeps an address, or two.
template <class Atom, class Tile, int Outer, bool Second>
class fragment_reader {
  static constexpr int element = Tile::element, row_bytes = Tile::row_bytes;
  /// Whether the warp's outer may begin in the middle of a box, from which an exclusive or cannot lead to the next.
  static constexpr bool may_carry = !Tile::k_major && element == 2 && (Outer & (Outer - 1)) != 0;
  static_assert(
      (Outer % 32 == 0 || element == 8 || (Outer == 16 && Tile::order != outer_order::quads)) &&
          (may_carry || Tile::k_major || element >= 4 || (Outer & (Outer - 1)) == 0),
      "gemm: a warp's sides are 16 or multiples of 32 (of doubles of 16), of an mn-major operand of int8 powers of 2.");

 public:
  using fragments = mma_fragments<Atom, Outer, Second>;

  /// `from`: the warp's first row or column in the tile, a multiple of Outer.
  __device__ fragment_reader(arch::shared_address tile, int lane, int from)
      : first_(tile + arch::offset(first_read<Tile, Second>(lane, from))) {
    if constexpr (may_carry) {
      carried_ = first_ + arch::offset(from % Tile::in_row == 0 ? 0 : Tile::box_bytes);
    }
  }

  /// How many 16 outer are read at once.
  static constexpr int at_once = Tile::order == outer_order::quads ? 2 : 1;

  /// The words as they are in memory, of the i-th 16 outer from `begin` to `end`, multiples of at_once. They are of the
  /// step-th k of a tile that lies `stage` bytes further on, a multiple of 1024.
  __device__ void read(fragments& to, unsigned stage, int step, int begin = 0, int end = Outer / 16) const {
    arch::shared_address const first = first_ + stage;
    auto const from = [&](int more, int swap) { return (first ^ arch::offset(swap)) + arch::offset(more); };
#pragma unroll
    for (int i = begin; i < end; i += at_once) {
      if constexpr (element == 8) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
          for (int q = 0; q < 2; ++q) {
            arch::load_shared(to.word[i][fragments::at(h, q)],
                              Tile::k_major ? from((2 * i + h) * 8 * row_bytes, step * 64 + q * 32)
                                            : from((step * 8 + q * 4) * row_bytes + i * Tile::box_bytes, h * 64));
          }
        }
      } else if constexpr (Tile::by_word) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
          for (int q = 0; q < 2; ++q) {
            arch::load_shared(to.word[i][fragments::at(h, q)], from((step * 8 + q * 4) * row_bytes, h * 32));
          }
        }
      } else if constexpr (Tile::k_major) {
        arch::ldmatrix(to.word[i], from(i * 16 * row_bytes, step * 32));
      } else if constexpr (element == 4) {
#pragma unroll
        for (int q = 0; q < 2; ++q) {
          std::uint32_t four[4];
          arch::load_shared(four, from((step * 8 + 4 * q) * row_bytes + i / 2 * Tile::box_bytes, 0));
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            to.word[i + e / 2][fragments::at(e % 2, q)] = four[e];
          }
        }
      } else {
        constexpr int in_box = Tile::in_row / 16;
        int const more = step * Atom::k * row_bytes + i / in_box * Tile::box_bytes, swap = i % in_box * 16 * element;
        if (may_carry && i % in_box >= in_box / 2) {
          arch::ldmatrix_transposed(to.word[i], ((carried_ + stage) ^ arch::offset(swap)) + arch::offset(more));
        } else {
          arch::ldmatrix_transposed(to.word[i], from(more, swap));
        }
      }
    }
  }

  /// Makes of them what the atom multiplies: not part of read(), which would then wait for shared memory.
  __device__ static void finish(fragments& loaded, int begin = 0, int end = Outer / 16) {
#pragma unroll
    for (int i = begin; i < end; ++i) {
      typename Atom::word(&word)[4] = loaded.word[i];
      if constexpr (element == 1 && !Tile::k_major) {
        std::uint32_t const raw[4] = {word[0], word[1], word[2], word[3]};
#pragma unroll
        for (int q = 0; q < 2; ++q) {  // the even outer of two, and the odd
          word[fragments::at(0, q)] = arch::permute_bytes<0x6420>(raw[2 * q], raw[2 * q + 1]);
          word[fragments::at(1, q)] = arch::permute_bytes<0x7531>(raw[2 * q], raw[2 * q + 1]);
        }
      } else if constexpr (std::is_same_v<typename Atom::element, tf32>) {
#pragma unroll
        for (int w = 0; w < 4; ++w) {
          word[w] = arch::round_to_tf32(word[w]);
        }
      }
    }
  }

 private:
  arch::shared_address first_, carried_ = 0;
};

}  // namespace gemm::detail
