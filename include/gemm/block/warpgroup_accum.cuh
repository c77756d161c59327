// SPDX-License-Identifier: BSL-1.0
//! @file
//! The accumulators of a warpgroup: from where wgmma leaves them to runs of neighbours that a thread stores at once.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Where a consumer thread's elements lie in 32 columns of the block's tile after gather_run(): in two rows, 8
/// neighbours of each. The four lanes of a row have its 32 columns, so that their stores fill whole sectors of the L2.
template <class Policy>
struct warpgroup_layout {
  static constexpr int block_m = Policy::block_m, block_n = 32;
  static constexpr int rows = 2, columns = 8;

  __device__ static int row(int i) { return warp_row() + static_cast<int>(threadIdx.x) % 32 / 4 + i * 8; }
  /// The first row of the warp's 16; where there are more warps than rows, they count from the first again.
  __device__ static int warp_row(int thread) { return thread / 32 % (block_m / 16) * 16; }
  __device__ static int warp_row() { return warp_row(static_cast<int>(threadIdx.x)); }
  __device__ static int column(int j) { return static_cast<int>(threadIdx.x) % 4 * columns + j; }
};

/// Lanes that differ in this bit exchange the lower's `high` and the upper's `low`.
template <int Bit, class T>
__device__ void swap_lanes(T& low, T& high) {
  bool const upper = (threadIdx.x & Bit) != 0;
  T const theirs = __shfl_xor_sync(0xffffffffU, upper ? low : high, Bit);
  low = upper ? theirs : low;
  high = upper ? high : theirs;
}

/// Four lanes transpose their 4 x 4 pieces: lane l's x[j] becomes lane j's x[l]. By whole warps.
template <class T>
__device__ void transpose(T (&x)[4]) {
  swap_lanes<2>(x[0], x[2]);
  swap_lanes<2>(x[1], x[3]);
  swap_lanes<1>(x[0], x[1]);
  swap_lanes<1>(x[2], x[3]);
}

/// The same of elements of any size.
template <class T>
__device__ void transpose_elements(T (&x)[4]) {
  using word = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>>;
  if constexpr (sizeof(T) == 8) {
    transpose(x);
  } else {
    std::uint32_t words[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      words[j] = __builtin_bit_cast(word, x[j]);
    }
    transpose(words);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      x[j] = __builtin_bit_cast(T, static_cast<word>(words[j]));
    }
  }
}

/// Gives each lane of four 8 neighbours of a row, one of its two; wgmma has left it 2 of them and the others the rest.
/// Of 32 columns.
template <class Accum>
__device__ void gather_run(Accum const (&accum)[16], int row, Accum (&run)[8]) {
#pragma unroll
  for (int element = 0; element < 2; ++element) {
    Accum x[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      x[j] = accum[4 * j + 2 * row + element];
    }
    transpose(x);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      run[2 * j + element] = x[j];
    }
  }
}

/// Stores 32 columns that lie in C, which is not read. Pairs of 4 bytes are transposed as elements of C, which
/// exchanges half as many registers; pairs of 8 bytes fill sectors as they are.
template <class Policy, int Count, class Problem, class Accum>
__device__ void store_inner_columns(Problem const& p, Accum const (&accum)[Count], int first, block_tile const& tile) {
  using layout = warpgroup_layout<Policy>;
  using output = typename Problem::output;
  using pair = vector<output, 2>;
  constexpr bool transposes = sizeof(pair) == 4;
  int const lane = static_cast<int>(threadIdx.x) % 4;
  partial_for<Problem> partial{};
  output* const c =
      p.c.data + tile.batch * p.c.batch_stride + tile.column + first + (transposes ? layout::column(0) : lane * 2);
#pragma unroll
  for (int i = 0; i < layout::rows; ++i) {
    std::int64_t const row = tile.row + layout::row(i);
    pair pairs[4];
    finish_all<8, false>(
        p, 0, tile.batch, partial,
        [&](int j) {
          return accum_at<Problem>{accum[first / 2 + 4 * (j / 2) + 2 * i + j % 2], output{}, row,
                                   tile.column + first + 8 * (j / 2) + 2 * lane + j % 2};
        },
        [&](int j, output element) { pairs[j / 2].element[j % 2] = element; });
    if constexpr (transposes) {
      std::uint32_t words[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        words[j] = __builtin_bit_cast(std::uint32_t, pairs[j]);
      }
      transpose(words);
      store_vector(reinterpret_cast<std::uint32_t*>(c + row_in_c(p, row) * p.c.ld),
                   vector<std::uint32_t, 4>{words[0], words[1], words[2], words[3]});
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        store_vector(c + row_in_c(p, row) * p.c.ld + 8 * j, pairs[j]);
      }
    }
  }
  flush_partial(p, partial);
}

/// Stores the last columns, fewer than 32, pairs as wgmma leaves them.
template <class Policy, int Count, class Problem, class Accum>
__device__ void store_last_columns(Problem const& p, Accum const (&accum)[Count], block_tile const& tile) {
  using layout = warpgroup_layout<Policy>;
  constexpr int first = 2 * Count / layout::block_n * layout::block_n;
  int const lane = static_cast<int>(threadIdx.x) % 4;
#pragma unroll
  for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
    for (int j = 0; j < (2 * Count - first) / 8; ++j) {
      store_row<2>(p, accum + first / 2 + 4 * j + 2 * i, tile.row + layout::row(i),
                   tile.column + first + 8 * j + 2 * lane, tile.batch);
    }
  }
}

/// The accumulators of the group-th 32 columns, selected from all, because registers have no index.
template <int Count, class Accum>
__device__ void accum_of_group(Accum const (&accum)[Count], int group, Accum (&of_group)[16]) {
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    of_group[i] = accum[i];
#pragma unroll
    for (int other = 1; other < Count / 16; ++other) {
      of_group[i] = group == other ? accum[other * 16 + i] : of_group[i];
    }
  }
}

/// Stores a warpgroup's accumulators 32 columns at a time, so that few of them are copied. Where C is read, or ends, or
/// not Often, by a loop that is not unrolled: unrolled it would be a third of the kernel's code and compile time.
template <class Policy, bool Often = true, int Count, class Problem, class Accum>
__device__ void store_accum(Problem const& p, Accum const (&accum)[Count], block_tile const& tile) {
  using layout = warpgroup_layout<Policy>;
  constexpr int groups = 2 * Count / layout::block_n;
  if (tile.row + layout::warp_row() >= p.m) {
    return;  // the whole warp
  }
  bool const inner_rows = p.beta == 0 && p.vector_c && tile.row + layout::block_m <= p.m;
  if (Often && inner_rows && tile.column + groups * layout::block_n <= p.n) {
#pragma unroll
    for (int group = 0; group < groups; ++group) {
      store_inner_columns<Policy>(p, accum, group * layout::block_n, tile);
    }
  } else if constexpr (groups > 0) {
#pragma unroll 1
    for (int group = 0; group < groups; ++group) {
      block_tile const of_group{tile.row, tile.column + group * layout::block_n, tile.batch};
      if (of_group.column >= p.n) {
        break;
      }
      Accum own[16];
      accum_of_group(accum, group, own);
      if (Often && inner_rows && of_group.column + layout::block_n <= p.n) {
        store_inner_columns<Policy>(p, own, 0, of_group);
      } else {
#pragma unroll
        for (int i = 0; i < layout::rows; ++i) {
          Accum run[layout::columns];
          gather_run(own, i, run);
          store_row<layout::columns>(p, run, tile.row + layout::row(i), of_group.column + layout::column(0),
                                     tile.batch);
        }
      }
    }
  }
  if constexpr (2 * Count % layout::block_n != 0) {
    store_last_columns<Policy>(p, accum, tile);
  }
}

}  // namespace gemm::detail
