// SPDX-License-Identifier: BSL-1.0
//! @file
//! An operand's tile in shared memory as warp_mma has it: rows padded by 16 bytes, read by ldmatrix.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/ldmatrix.cuh>
#include <gemm/arch/mma_atom.hpp>
#include <gemm/arch/shared_load.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/element.hpp>

namespace gemm::detail {

/// The type of an element in shared memory, and for tile_loader: a type that it neither treats as an element nor
/// widens. tf32 it rounds.
template <class T>
using mma_shared = std::conditional_t<
    sizeof(T) == 2, std::uint16_t,
    std::conditional_t<sizeof(T) == 1, std::uint8_t, std::conditional_t<std::is_same_v<T, tf32>, float, T>>>;
template <class T>
using mma_loaded = std::conditional_t<std::is_same_v<T, tf32>, tf32, mma_shared<T>>;
template <class T, major Major>
__device__ operand_view<mma_loaded<T>, Major> as_loaded(operand_view<T, Major> const& view) {
  return {reinterpret_cast<mma_loaded<T> const*>(view.data), view.ld, view.extent, view.depth};
}

/// Which index runs through neighbours in shared memory. Tiles of 4 and 1 bytes are transposed to k-major ones, the
/// only ones that ldmatrix reads of them.
template <class T, major Major>
inline constexpr major mma_shared_major = sizeof(T) == 2 || sizeof(T) == 8 ? Major : major::k;

/// Elements that pad a row, so that 8 rows' pieces of 16 bytes lie in different banks, of doubles 4 rows' of 32.
template <class T>
inline constexpr int mma_padding = sizeof(T) == 8 ? 4 : 16 / static_cast<int>(sizeof(T));

/// A tile of Outer x K of an operand.
template <class T, major Shared, int Outer, int K>
struct padded_tile {
  static constexpr int rows = Shared == major::k ? Outer : K, columns = Shared == major::k ? K : Outer;
  alignas(16) mma_shared<T> row[rows][columns + mma_padding<T>];

  /// The registers that mma.sync takes of Size outer (16 of A, 8 of B) x a step of k.
  template <int Size, class Word, int Words>
  __device__ void read(Word (&words)[Words], int outer, int k, int lane) const {
    if constexpr (sizeof(T) == 8) {
#pragma unroll
      for (int e = 0; e < Words; ++e) {
        arch::mma_position const a = arch::mma_atom<T>::position_a(lane, e), b = arch::mma_atom<T>::position_b(lane, e);
        int const outer_e = outer + (Size == 16 ? a.row : b.column), k_e = k + (Size == 16 ? a.column : b.row);
        words[e] = Shared == major::k ? row[outer_e][k_e] : row[k_e][outer_e];
      }
    } else if constexpr (Shared == major::k) {  // a matrix: 8 outer, 16 bytes of k
      int const of_k = lane / Size % 2 * (16 / static_cast<int>(sizeof(T)));
      arch::ldmatrix(words, arch::shared_address_of(&row[outer + lane % Size][k + of_k]));
    } else {  // 8 k, 8 outer
      int const of_k = lane / Size % 2 * 8 + lane % 8, of_outer = lane % Size / 8 * 8;
      arch::ldmatrix_transposed(words, arch::shared_address_of(&row[k + of_k][outer + of_outer]));
    }
  }
};

}  // namespace gemm::detail
