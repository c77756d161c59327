// SPDX-License-Identifier: BSL-1.0
//! @file
//! Repacking: operands that TMA cannot load are first copied to where it can, by one launch for both.
//!
//!     as it is     64 x 64 elements ---> shared memory ---> the same in the workspace, rows aligned
//!     transposed   64 x 64 elements ---> shared memory ---> their transpose
//!
//! Global memory is read an element a lane, so any alignment will do, and written 16 bytes a lane, both along rows of
//! 64 elements (of one byte: 128). To transpose, a thread takes an element from each of the rows that make 16 bytes of
//! a row of the copy. It stores these at once. Pieces of 16 bytes are swizzled in shared memory: neither stores down a
//! column, of each or every fourth row, nor loads along a row have bank conflicts.
//!
//! Elements of one byte are read four a lane, in whole tiles: out of the two aligned words that hold them.
//!
//! What was tried instead, copies by the consumers and TMA loads of every fourth row of B, is in docs/tuning-notes.md
//! (repacked).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/ldmatrix.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// A batch of matrices and their copies. Not for users; it is not in detail for the kernels' symbols.
template <class T>
struct repacked_operand {
  T const* from;
  T* to;
  std::int64_t ld_from, ld_to, stride_from, stride_to;
  std::int64_t gap;            // of a copy in squares: after every 32 elements of a row
  std::int64_t lines, length;  // of the copy
  int tiles_along, tiles_of;   // of a row, of a matrix
};

/// The kernel's parameter: the first blocks copy A, the others B. Not for users; not in detail, for short symbols.
template <class T>
struct repacked_operands {
  repacked_operand<T> of[2];
  int blocks_a;
  bool early;  // whether the next kernel's blocks come while these leave
};

namespace detail {

inline constexpr int repack_threads = 256;

/// Sides of a tile: each thread has 16 bytes of a transposed row.
template <class T>
inline constexpr int repack_tile = sizeof(T) == 1 ? 128 : 64;

template <class T>
struct repack_storage {
  alignas(16) T tile[repack_tile<T>][repack_tile<T>];  // [row of the copy][element]

  __device__ T* at(int row, int element) { return &tile[row][element ^ ((row ^ row / 4) % 8 * widest<T>)]; }
};

/// Four elements of one byte, as they lie in memory.
__device__ inline std::uint32_t load_four_bytes(void const* from) {
  std::uintptr_t const address = reinterpret_cast<std::uintptr_t>(from);
  auto const* const words = reinterpret_cast<std::uint32_t const*>(address - address % 4);
  std::uint64_t const low = words[0], high = words[address % 4 != 0];
  return static_cast<std::uint32_t>((high << 32 | low) >> (address % 4 * 8));
}

/// The e-th bytes of four words, as one.
template <int E>
__device__ std::uint32_t gather_bytes(std::uint32_t const (&word)[4]) {
  constexpr std::uint32_t of_two = E | (E + 4) << 4, both = 0x5410;
  return arch::permute_bytes<both>(arch::permute_bytes<of_two>(word[0], word[1]),
                                   arch::permute_bytes<of_two>(word[2], word[3]));
}

/// A whole tile of elements of one byte into shared memory. A warp reads 16 rows of 128, a lane four of each.
template <class T>
__device__ void load_whole_tile(repack_storage<T>& shared, T const* from, std::int64_t ld, bool transposes) {
  constexpr int width = widest<T>;
  int const lane = static_cast<int>(threadIdx.x) % 32, top = static_cast<int>(threadIdx.x) / 32 * width;
  from += top * ld + 4 * lane;
  std::uint32_t word[width / 4][4];
#pragma unroll
  for (int i = 0; i < width; ++i) {
    word[i / 4][i % 4] = load_four_bytes(from + i * ld);
  }
  if (transposes) {
    auto const store_row = [&]<int E>(std::integral_constant<int, E>) {
      uint4 const piece{gather_bytes<E>(word[0]), gather_bytes<E>(word[1]), gather_bytes<E>(word[2]),
                        gather_bytes<E>(word[3])};
      *reinterpret_cast<uint4*>(shared.at(4 * lane + E, top)) = piece;
    };
    store_row(std::integral_constant<int, 0>{});
    store_row(std::integral_constant<int, 1>{});
    store_row(std::integral_constant<int, 2>{});
    store_row(std::integral_constant<int, 3>{});
  } else {
#pragma unroll
    for (int i = 0; i < width; ++i) {
      *reinterpret_cast<std::uint32_t*>(shared.at(top + i, 4 * lane)) = word[i / 4][i % 4];
    }
  }
}

/// Any tile, element by element: so many rows of the copy, of such a length.
template <class T>
__device__ void load_tile(repack_storage<T>& shared, T const* from, std::int64_t ld, bool transposes, int lines,
                          int length) {
  constexpr int side = repack_tile<T>, warps = repack_threads / 32, width = widest<T>;
  constexpr int lines_each = side / warps, lanes_each = side / 32;  // of a thread, in memory
  static_assert(lines_each % width == 0, "gemm: a thread transposes as many rows as 16 bytes have elements.");
  // Beyond the edge the last row and element again: without a branch all loads are in flight together.
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int const last_line = (transposes ? length : lines) - 1, last = (transposes ? lines : length) - 1;
  auto const line_of = [&](int i) { return (warp + i / width * warps) * width + i % width; };
  T value[lines_each][lanes_each];
  if (lines == side && length == side) {
#pragma unroll
    for (int i = 0; i < lines_each; ++i) {
      T const* const begin = from + line_of(i) * ld + lane;
#pragma unroll
      for (int j = 0; j < lanes_each; ++j) {
        value[i][j] = begin[32 * j];
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < lines_each; ++i) {
      T const* const begin = from + (line_of(i) < last_line ? line_of(i) : last_line) * ld;
#pragma unroll
      for (int j = 0; j < lanes_each; ++j) {
        value[i][j] = begin[lane + 32 * j < last ? lane + 32 * j : last];
      }
    }
  }
  if (transposes) {
#pragma unroll
    for (int i = 0; i < lines_each; i += width) {
#pragma unroll
      for (int j = 0; j < lanes_each; ++j) {
        vector<T, width> piece;
#pragma unroll
        for (int e = 0; e < width; ++e) {
          piece.element[e] = value[i + e][j];
        }
        store_vector(shared.at(lane + 32 * j, line_of(i)), piece);
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < lines_each; ++i) {
#pragma unroll
      for (int j = 0; j < lanes_each; ++j) {
        *shared.at(line_of(i), lane + 32 * j) = value[i][j];
      }
    }
  }
}

/// Copies the operands, a tile for each block. A is transposed where TransposesA, B where TransposesB. The end of a row
/// of the copy is filled up to 16 bytes with values that are never read.
template <class T, bool TransposesA, bool TransposesB>
__global__ void __launch_bounds__(repack_threads) repack_kernel(__grid_constant__ repacked_operands<T> const x) {
  constexpr int side = repack_tile<T>, width = widest<T>;
  auto& shared = arch::dynamic_shared_memory<repack_storage<T>>();
  arch::wait_for_dependency();  // for who writes the operands, and who reads the last copies
  if (x.early) {
    arch::launch_dependents();
  }

  int const block = static_cast<int>(blockIdx.x);
  bool const is_b = block >= x.blocks_a, transposes = is_b ? TransposesB : TransposesA;
  repacked_operand<T> const& o = x.of[is_b ? 1 : 0];
  int const index = block - (is_b ? x.blocks_a : 0), tile = index % o.tiles_of;
  std::int64_t const matrix = index / o.tiles_of;
  std::int64_t const line = std::int64_t{tile / o.tiles_along} * side, first = tile % o.tiles_along * side;
  int const lines = o.lines - line < side ? static_cast<int>(o.lines - line) : side;
  int const length = o.length - first < side ? static_cast<int>(o.length - first) : side;
  T const* const from =
      o.from + matrix * o.stride_from + (transposes ? first * o.ld_from + line : line * o.ld_from + first);
  if constexpr (sizeof(T) == 1) {
    // Behind the matrix's last element the rest of a word may not be allocated.
    bool const has_end = transposes ? first + side >= o.length : line + side >= o.lines;
    if (lines == side && length == side && !has_end) {
      load_whole_tile(shared, from, o.ld_from, transposes);
    } else {
      load_tile(shared, from, o.ld_from, transposes, lines, length);
    }
  } else {
    load_tile(shared, from, o.ld_from, transposes, lines, length);
  }
  __syncthreads();

  constexpr int pieces = side / width, at_once = repack_threads / pieces;
  int const element = static_cast<int>(threadIdx.x) % pieces * width, top = static_cast<int>(threadIdx.x) / pieces;
  T* const to =
      o.to + matrix * o.stride_to + (line + top) * o.ld_to + first + element + (first + element) / square_side * o.gap;
#pragma unroll
  for (int down = 0; down < side; down += at_once) {
    if (top + down < lines && element < length) {
      // Not by store_vector(): the compiler would store what was just loaded element by element.
      *reinterpret_cast<vector<T, width>*>(to + down * o.ld_to) = load_vector<width>(shared.at(top + down, element));
    }
  }
}

/// Whether a policy packs operands before its kernel runs, because it is `repacked` or always does.
template <class Policy>
inline constexpr bool repacks = Policy::info.repacks;

}  // namespace detail

/// A policy that uses TMA, with operands packed first that TMA cannot load: those whose pointer, leading dimension or
/// batch stride is no multiple of 16 bytes.
///
/// A k-major B is transposed as well, where Policy does not read it and the model prefers that to a transpose in shared
/// memory (block/smem_transpose.cuh). It always is if Policy `packs_k_major_b`. An operand that TMA can load stays
/// where it is. One that serves a whole batch is packed once. With k = 0 or alpha = 0 nothing is packed.
///
/// Needs a workspace for the copies: the operand's elements, with rows rounded up to 16 bytes, or to 128 from 1024
/// bytes on. Rows of a transposed B are rounded up to 128 bytes, and so is each copy. Where Policy transposes tiles of
/// B, its copy lies in squares of 32 x 32. With split-K it is `split_k<repacked<Policy>, Slices>`, whose slices follow
/// the copies.
///
/// Bitwise the same as Policy on aligned operands. What TMA cannot
/// address wherever it lies is refused: m, n, k or a batch of 2^31 and more.
template <class Policy>
struct repacked : Policy {
  static constexpr kernel_info info = [] {
    kernel_info changed = Policy::info;
    changed.repacks = true;
    changed.smem_transposes_b = changed.smem_transposes_b && !changed.options.packs_k_major_b;
    return changed;
  }();

  template <class T>
  static constexpr bool check() {
    constexpr bool legal = Policy::info.packs_or_may() && !Policy::info.repacks && !Policy::info.is_split();
    static_assert(legal,
                  "gemm: repacked needs a policy that loads by TMA (warp_specialized), or sm80_mma, inside split_k. "
                  "Change the policy.");
    if constexpr (legal) {
      return Policy::template check<T>();
    }
    return false;
  }
};

namespace detail {

template <class Policy>
Policy without_repacked(void const*);
template <class Policy, class Direct>
Direct without_repacked(repacked<Direct> const*);

/// The policy whose kernels run: without `repacked`.
template <class Policy>
using direct = decltype(without_repacked<Policy>(static_cast<Policy const*>(nullptr)));

}  // namespace detail

}  // namespace gemm
