// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tiles of a matrix that is packed: transposed through shared memory, or copied to where 16-byte accesses reach it.
//! What lies behind a matrix's last element may not be allocated, and is not read.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/ldmatrix.cuh>
#include <gemm/block/shifted.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

inline constexpr int repack_threads = 256;

/// Sides of a tile: each thread has 16 bytes of a transposed row.
template <class T>
inline constexpr int repack_tile = sizeof(T) == 1 ? 128 : 64;

template <class T>
struct repack_storage {
  alignas(16) T tile[repack_tile<T>][repack_tile<T>];  // [row of the copy][element]

  __device__ T* at(int row, int element) { return &tile[row][element ^ ((row ^ row / 4) % 8 * widest<T>)]; }
};

/// Four elements of one byte, of a word of memory where it is Aligned, else of two.
template <bool Aligned>
__device__ std::uint32_t load_four_bytes(void const* from) {
  if constexpr (Aligned) {
    return *static_cast<std::uint32_t const*>(from);
  } else {
    std::uintptr_t const address = reinterpret_cast<std::uintptr_t>(from);
    auto const* const words = reinterpret_cast<std::uint32_t const*>(address - address % 4);
    std::uint64_t const low = words[0], high = words[1];
    return static_cast<std::uint32_t>((high << 32 | low) >> (address % 4 * 8));
  }
}

/// The e-th bytes of four words, as one.
template <int E>
__device__ std::uint32_t gather_bytes(std::uint32_t const (&word)[4]) {
  constexpr std::uint32_t of_two = E | (E + 4) << 4, both = 0x5410;
  return arch::permute_bytes<both>(arch::permute_bytes<of_two>(word[0], word[1]),
                                   arch::permute_bytes<of_two>(word[2], word[3]));
}

/// Transposes a tile of elements of one byte, so many rows in memory, of such a length, into shared memory. A warp
/// reads 16 rows, a lane four elements of each; beyond the edge the last row and the last word again.
template <bool Aligned, class T>
__device__ void transpose_bytes(repack_storage<T>& shared, T const* from, std::int64_t ld, int rows, int length) {
  constexpr int width = widest<T>;
  int const lane = static_cast<int>(threadIdx.x) % 32, top = static_cast<int>(threadIdx.x) / 32 * width;
  int const last = rows - 1, last_word = (length - 1) / 4 * 4;
  from += (top < last ? top : last) * ld + (4 * lane < last_word ? 4 * lane : last_word);
  std::uint32_t word[width / 4][4];
#pragma unroll
  for (int i = 0; i < width; ++i) {
    word[i / 4][i % 4] = load_four_bytes<Aligned>(from);
    from += top + i < last ? ld : 0;
  }
  auto const store_row = [&]<int E>(std::integral_constant<int, E>) {
    uint4 const piece{gather_bytes<E>(word[0]), gather_bytes<E>(word[1]), gather_bytes<E>(word[2]),
                      gather_bytes<E>(word[3])};
    *reinterpret_cast<uint4*>(shared.at(4 * lane + E, top)) = piece;
  };
  store_row(std::integral_constant<int, 0>{});
  store_row(std::integral_constant<int, 1>{});
  store_row(std::integral_constant<int, 2>{});
  store_row(std::integral_constant<int, 3>{});
}

/// The same byte by byte, where what lies behind the last may not be allocated.
template <class T>
__device__ void transpose_single_bytes(repack_storage<T>& shared, T const* from, std::int64_t ld, int rows,
                                       int length) {
  constexpr int width = widest<T>;
  int const top = static_cast<int>(threadIdx.x) / 32 * width, last = rows - 1;
  from += (top < last ? top : last) * ld;
#pragma unroll 1
  for (int along = static_cast<int>(threadIdx.x) % 32; along < repack_tile<T>; along += 32) {
    T const* element = from + (along < length ? along : length - 1);
    vector<T, width> value;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      value.element[i] = *element;
      element += top + i < last ? ld : 0;
    }
    store_vector(shared.at(along, top), value);
  }
}

/// Transposes a tile of larger elements: so many rows in memory, of such a length. Beyond the edge the last row and
/// element again: without a branch all loads are in flight together.
template <class T>
__device__ void transpose_elements(repack_storage<T>& shared, T const* from, std::int64_t ld, int rows, int length) {
  constexpr int side = repack_tile<T>, warps = repack_threads / 32, width = widest<T>;
  constexpr int lines_each = side / warps, lanes_each = side / 32;  // of a thread, in memory
  static_assert(lines_each % width == 0, "gemm: a thread transposes as many rows as 16 bytes have elements.");
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  auto const line_of = [&](int i) { return (warp + i / width * warps) * width + i % width; };
  T value[lines_each][lanes_each];
  if (rows == side && length == side) {
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
      T const* const begin = from + (line_of(i) < rows ? line_of(i) : rows - 1) * ld;
#pragma unroll
      for (int j = 0; j < lanes_each; ++j) {
        value[i][j] = begin[lane + 32 * j < length ? lane + 32 * j : length - 1];
      }
    }
  }
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
}

/// Sixteen bytes that begin at any element, of the two aligned pieces of memory that hold them.
template <class T>
__device__ piece_of_16 load_piece(T const* from) {
  auto const address = reinterpret_cast<std::uintptr_t>(from);
  auto const past = static_cast<unsigned>(address % 16);
  auto const* const pieces = reinterpret_cast<piece_of_16 const*>(address - past);
  return piece_from(pieces[0], pieces[past != 0], past);
}

/// A thread's share of a tile of the copy: pieces of 16 bytes, below one another.
template <class T>
struct repack_pieces {
  static constexpr int side = repack_tile<T>, width = widest<T>, of_row = side / width,
                       at_once = repack_threads / of_row, each = side / at_once;
  int element = static_cast<int>(threadIdx.x) % of_row * width, row = static_cast<int>(threadIdx.x) / of_row;
};

/// A piece of a matrix that ends at `end`: what lies behind may not be allocated.
template <class T>
__device__ piece_of_16 load_piece_before(T const* from, T const* end) {
  constexpr int width = widest<T>;
  if (from + 2 * width <= end) {
    return load_piece(from);
  }
  vector<T, width> piece{};
#pragma unroll
  for (int i = 0; i < width; ++i) {
    if (from + i < end) {
      piece.element[i] = from[i];
    }
  }
  return __builtin_bit_cast(piece_of_16, piece);
}

/// Copies a tile as it is, to as transpose_tile() does. Beyond the edge the last row and piece again: without a branch
/// loads are in flight together. AtEnd: the matrix ends in it, or just behind.
template <bool AtEnd, class T>
__device__ void copy_tile(T* to, std::int64_t ld_to, T const* from, std::int64_t ld, T const* end, int lines,
                          int length) {
  using pieces = repack_pieces<T>;
  constexpr int loads = pieces::each < 4 ? pieces::each : 4;
  pieces const own;
  int const last = (length - 1) / pieces::width * pieces::width;
  from += own.element < last ? own.element : last;
#pragma unroll 1
  for (int top = own.row; top < pieces::side; top += loads * pieces::at_once) {
    piece_of_16 piece[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      int const row = top + i * pieces::at_once;
      T const* const begin = from + (row < lines ? row : lines - 1) * ld;
      piece[i] = AtEnd ? load_piece_before(begin, end) : load_piece(begin);
    }
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      int const row = top + i * pieces::at_once;
      if (row < lines && own.element < length) {
        *reinterpret_cast<piece_of_16*>(to + row * ld_to) = piece[i];
      }
    }
  }
}

/// Loads a tile of a matrix that ends at `end`, transposed: bytes by words where these lie before it.
template <class T>
__device__ void load_transposed(repack_storage<T>& shared, T const* from, std::int64_t ld, T const* end, int rows,
                                int length) {
  if constexpr (sizeof(T) > 1) {
    transpose_elements(shared, from, ld, rows, length);
  } else {
    T const* const last = from + (rows - 1) * ld + (length + 3) / 4 * 4;
    bool const aligned = (reinterpret_cast<std::uintptr_t>(from) | static_cast<std::uintptr_t>(ld)) % 4 == 0;
    if (aligned && last <= end) {
      transpose_bytes<true>(shared, from, ld, rows, length);
    } else if (last + 4 <= end) {
      transpose_bytes<false>(shared, from, ld, rows, length);
    } else {
      transpose_single_bytes(shared, from, ld, rows, length);
    }
  }
}

/// Copies a tile transposed, `lines` x `length` of the copy. `to`: where the thread's first 16 bytes of its first row
/// belong. By the whole block.
template <class T>
__device__ void transpose_tile(repack_storage<T>& shared, T* to, std::int64_t ld_to, T const* from, std::int64_t ld,
                               T const* end, int lines, int length) {
  using pieces = repack_pieces<T>;
  load_transposed(shared, from, ld, end, length, lines);
  __syncthreads();
  pieces const own;
#pragma unroll
  for (int i = 0; i < pieces::each; ++i) {
    int const row = own.row + i * pieces::at_once;
    if (row < lines && own.element < length) {
      // Not by store_vector(): the compiler would store what was just loaded element by element.
      *reinterpret_cast<vector<T, pieces::width>*>(to + row * ld_to) =
          load_vector<pieces::width>(shared.at(row, own.element));
    }
  }
}

}  // namespace gemm::detail
