// SPDX-License-Identifier: BSL-1.0
//! @file
//! Realigning: operands that TMA could load were their lines aligned are copied line by line, by one launch for both.
//!
//!     memory     ...| line, from any element on            |...      read 16 aligned bytes at a time,
//!                  \  \  \  \  \  \                                  two of which have what is in
//!     copy         | pieces of 16 bytes |                            a piece of the copy
//!
//! Only what is the line's own is read: its first and its last piece element by element.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/shifted.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/kernel/repack.cuh>

namespace gemm::detail {

inline constexpr int realign_threads = 256, realign_each = 4, realign_pieces = realign_threads * realign_each;

/// Copies the operands, so many pieces each block. The end of a line of the copy is filled up with zeros.
template <class T>
__global__ void __launch_bounds__(realign_threads) realign_kernel(__grid_constant__ repacked_operands<T> const x) {
  constexpr int width = widest<T>;
  arch::wait_for_dependency();  // for who writes the operands, and who reads the last copies
  arch::launch_dependents();

  int const block = static_cast<int>(blockIdx.x);
  bool const is_b = block >= x.blocks_a;
  repacked_operand<T> const& o = x.of[is_b ? 1 : 0];
  int const index = block - (is_b ? x.blocks_a : 0), part = index % o.tiles_of;
  std::int64_t const matrix = index / o.tiles_of;
  auto const in_line = static_cast<unsigned>((o.length + width - 1) / width);
  std::int64_t const first = std::int64_t{part} * realign_pieces, first_line = first / in_line;
  unsigned const first_in_line = static_cast<unsigned>(first - first_line * in_line);
  T const* const from = o.from + matrix * o.stride_from;
  T* const to = o.to + matrix * o.stride_to;

  piece_of_16 low[realign_each], high[realign_each];
  bool whole[realign_each];
#pragma unroll
  for (int i = 0; i < realign_each; ++i) {
    unsigned const number = first_in_line + threadIdx.x + static_cast<unsigned>(i) * realign_threads;
    std::int64_t const line = first_line + number / in_line;
    T const* const begin = from + line * o.ld_from;
    auto const address = reinterpret_cast<std::uintptr_t>(begin + std::int64_t{number % in_line} * width);
    std::uintptr_t const aligned = address / 16 * 16, next = address == aligned ? aligned : aligned + 16;
    whole[i] = line < o.lines && aligned >= reinterpret_cast<std::uintptr_t>(begin) &&
               next + 16 <= reinterpret_cast<std::uintptr_t>(begin + o.length);
    if (whole[i]) {
      low[i] = *reinterpret_cast<piece_of_16 const*>(aligned);
      high[i] = *reinterpret_cast<piece_of_16 const*>(next);
    }
  }
#pragma unroll
  for (int i = 0; i < realign_each; ++i) {
    unsigned const number = first_in_line + threadIdx.x + static_cast<unsigned>(i) * realign_threads;
    std::int64_t const line = first_line + number / in_line, element = std::int64_t{number % in_line} * width;
    if (line < o.lines) {
      T const* const begin = from + line * o.ld_from + element;
      piece_of_16 values;
      if (whole[i]) {
        values = piece_from(low[i], high[i], static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(begin) % 16));
      } else {
        vector<T, width> elements{};
#pragma unroll
        for (int e = 0; e < width; ++e) {
          if (element + e < o.length) {
            elements.element[e] = begin[e];
          }
        }
        values = __builtin_bit_cast(piece_of_16, elements);
      }
      *reinterpret_cast<piece_of_16*>(to + line * o.ld_to + element) = values;
    }
  }
}

}  // namespace gemm::detail
