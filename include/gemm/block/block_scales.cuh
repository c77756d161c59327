// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of blocks along k: a factor for each sum of the products of 128 of k, of the sum's row of A and column of B.
//!
//!     C[i][j] = sum over kb of (scale_a[i][kb] * scale_b[kb][j]) * (A B of k in [128 kb, 128 kb + 128))[i][j]
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/shared_load.cuh>
#include <gemm/arithmetic.hpp>
#include <gemm/block/problem.cuh>
#include <gemm/block_scales.hpp>

namespace gemm::detail {

/// Whether operands of a problem have scales of blocks.
template <class Problem>
inline constexpr bool has_block_scales =
    is_per_block<typename Problem::scales_a> || is_per_block<typename Problem::scales_b>;

/// The scales of one operand of one product, seen alike for A and B: each is of Extent rows of A, or columns of B, and
/// 128 of k. Extent 0: there are none. Index: of rows and columns.
template <int Extent, class Index>
struct block_scales_view {
  static constexpr int extent = Extent;
  float const* data;
  std::int64_t outer_stride, k_stride;
  Index last;  // row of A or column of B

  /// Of a row of A or column of B; behind the last one those of the last.
  __device__ float const* address(Index outer, Index k_block) const {
    Index const within = outer < last ? outer : last;
    return data + within / Extent * outer_stride + k_block * k_stride;
  }
  __device__ float at(Index outer, Index k_block) const { return *address(outer, k_block); }
};
template <class Index>
struct block_scales_view<0, Index> {
  static constexpr int extent = 0;
  static constexpr std::int64_t k_stride = 0;

  __device__ static float const* address(Index, Index) { return nullptr; }
  __device__ static float at(Index, Index) { return 1; }
};

/// Scales of 1 x 128 of a gathered A.
template <class Index>
struct gathered_block_scales_view : block_scales_view<1, Index> {
  std::int32_t const* index;

  __device__ float const* address(Index outer, Index k_block) const {
    Index const within = outer < this->last ? outer : this->last;
    return this->data + index[within] * this->outer_stride + k_block * this->k_stride;
  }
  __device__ float at(Index outer, Index k_block) const { return *address(outer, k_block); }
};

template <class Index = int, int Rows, int Columns>
__device__ block_scales_view<Rows, Index> block_scales_of_a(scale_per_block<Rows, Columns> const& s, std::int64_t m,
                                                            std::int64_t batch) {
  return {s.data + batch * s.batch_stride, s.row_stride, s.column_stride, static_cast<Index>(m - 1)};
}
template <class Index = int, class Scales>
__device__ gathered_block_scales_view<Index> block_scales_of_a(gathered_scales<Scales> const& s, std::int64_t m,
                                                               std::int64_t batch) {
  return {block_scales_of_a<Index>(static_cast<Scales const&>(s), m, batch), s.index};
}
template <class Index = int, class Scales>
__device__ block_scales_view<0, Index> block_scales_of_a(Scales const&, std::int64_t, std::int64_t) {
  return {};
}
template <class Index = int, int Rows, int Columns>
__device__ block_scales_view<Columns, Index> block_scales_of_b(scale_per_block<Rows, Columns> const& s, std::int64_t n,
                                                               std::int64_t batch) {
  return {s.data + batch * s.batch_stride, s.column_stride, s.row_stride, static_cast<Index>(n - 1)};
}
template <class Index = int, class Scales>
__device__ block_scales_view<0, Index> block_scales_of_b(Scales const&, std::int64_t, std::int64_t) {
  return {};
}

/// The scales of a thread's accumulators in a warpgroup's 64 x 2 Accums tile of wgmma, for tiles of 128 of k one after
/// the other. First and Second: those of wgmma's operands, of which the first has the 64.
///
/// A thread loads one or two scales of First. Of Second it loads one for each 128, or where each column has its own,
/// every 32nd, which lanes then exchange. They are loaded while a tile is multiplied: the next tile's, or its own where
/// registers are short.
template <class First, class Second, int Accums>
class tile_scales {
  static constexpr int columns = 2 * Accums;
  static constexpr bool each = Second::extent == 1, ahead = Accums <= 64;
  static constexpr int spacing = each ? 32 : common_divisor(columns, 128), count = (columns + spacing - 1) / spacing;

  struct factors {
    float first[2], second[count];
  };

  First of_first;
  Second of_second;
  int first, second;  // the thread's first row, and the first column that it loads
  int k_block, last;
  factors next;
  float const *at_first[2], *at_second[count];  // next

  __device__ void find(int row, int column) {
    at_first[0] = of_first.address(row, k_block);
    at_first[1] = First::extent == 1 ? of_first.address(row + 8, k_block) : at_first[0];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      at_second[i] = of_second.address(column + i * spacing, k_block);
    }
  }

  template <class View>
  __device__ static float read([[maybe_unused]] float const* scale) {
    if constexpr (View::extent == 0) {
      return 1;
    } else {
      return *scale;
    }
  }

  __device__ factors load() const {
    factors f;
    f.first[0] = read<First>(at_first[0]);
    f.first[1] = First::extent == 1 ? read<First>(at_first[1]) : f.first[0];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      f.second[i] = read<Second>(at_second[i]);
    }
    return f;
  }

  __device__ void advance() {
    ++k_block;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      at_first[i] += of_first.k_stride;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      at_second[i] += of_second.k_stride;
    }
  }

  /// Of a column of the tile: 8 * eighth + 2 * (lane % 4) + element.
  __device__ float of_column(factors const& f, int eighth, int element) const {
    if constexpr (each) {
      int const lane = static_cast<int>(threadIdx.x) % 4 * 2 + eighth * 8 % 32 + element;
      return __shfl_sync(0xffffffffU, f.second[eighth * 8 / 32], lane);
    } else {
      return f.second[eighth * 8 / spacing];
    }
  }

 public:
  static constexpr bool reads_stage = false;

  /// `row` and `column`: where the warpgroup's tile begins, along wgmma's operands. The k_tiles from k_begin on.
  __device__ tile_scales(First a, Second b, int row, int column, int k_begin, int k_tiles)
      : of_first(a), of_second(b), k_block(k_begin), last(k_begin + k_tiles - 1) {
    int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32 % 4;
    first = row + warp * 16 + lane / 4;
    second = column + (each ? lane : 0);
    if constexpr (ahead) {
      k_block = k_block < last ? k_block : last;
      find(first, second);
      next = load();
    }
  }

  /// The scales of the tile that is being multiplied. Addresses are kept where scales are loaded a tile ahead; else
  /// they would take the registers of accumulators.
  __device__ factors load_ahead(int) {
    if constexpr (ahead) {
      factors const of_tile = next;
      if (k_block < last) {
        advance();
      }
      next = load();
      return of_tile;
    } else {
      int row = first, column = second;
      arch::make_opaque(row);
      arch::make_opaque(column);
      find(row, column);
      ++k_block;
      return load();
    }
  }

  /// Adds the accumulators of a tile's part-th columns times their scales. By whole warps.
  template <int Count>
  __device__ void add(float (&accum)[1][Accums], float const (&promoted)[1][Count], factors const& f, int part) const {
#pragma unroll
    for (int i = 0; i < Count / 4; ++i) {
#pragma unroll
      for (int element = 0; element < 2; ++element) {
        float const of_b = of_column(f, part * Count / 4 + i, element);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          int const j = 4 * i + 2 * half + element;
          float& to = accum[0][part * Count + j];
          to = multiply_add(promoted[0][j], f.first[half] * of_b, to);
        }
      }
    }
  }
};

/// The views of A's and B's scales of blocks in a product.
template <class Index = int, class Problem>
__device__ auto block_scales_of_a(Problem const& p, std::int64_t batch) {
  if constexpr (has_block_scales<Problem>) {
    return block_scales_of_a<Index>(p.a.factors(), p.m, batch);
  } else {
    return block_scales_view<0, Index>{};
  }
}
template <class Index = int, class Problem>
__device__ auto block_scales_of_b(Problem const& p, std::int64_t batch) {
  if constexpr (has_block_scales<Problem>) {
    return block_scales_of_b<Index>(p.b.factors(), p.n, batch);
  } else {
    return block_scales_view<0, Index>{};
  }
}

/// Those of a warpgroup's part of a tile of C: 64 rows, or where wgmma's operands are swapped, columns.
template <bool Swaps, int Accums, class Problem>
__device__ auto tile_scales_of(Problem const& p, block_tile const& tile, int warpgroup, int k_begin, int k_tiles) {
  auto const a = block_scales_of_a(p, tile.batch);
  auto const b = block_scales_of_b(p, tile.batch);
  int const row = static_cast<int>(tile.row), column = static_cast<int>(tile.column);
  if constexpr (Swaps) {
    return tile_scales<std::remove_const_t<decltype(b)>, std::remove_const_t<decltype(a)>, Accums>(
        b, a, column + warpgroup * 64, row, k_begin, k_tiles);
  } else {
    return tile_scales<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>, Accums>(
        a, b, row + warpgroup * 64, column, k_begin, k_tiles);
  }
}

}  // namespace gemm::detail
