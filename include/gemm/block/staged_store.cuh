// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stores of a warpgroup's accumulators to C by TMA: laid out in shared memory, from which they are stored while the
//! warpgroup goes on.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/tma.cuh>
#include <gemm/arch/tma_store.cuh>
#include <gemm/block/ordinary_factors.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/staged_box.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/kernel_info.hpp>

namespace gemm {

namespace detail {

/// A warp's shared memory for its stores, at a multiple of 1024 bytes, where TMA's swizzle begins. It writes one buffer
/// while the others are read.
template <int Count>
struct store_stages {
  static constexpr int count = Count;
  unsigned char buffer[count][staged_box<char>::rows * staged_box<char>::line_bytes];
};

template <>
struct store_stages<0> {};

/// Where a warpgroup's threads are in 64 rows, for warpgroup_layout.
template <class Policy>
struct rows_of_warpgroup {
  static constexpr int block_m = 64;
  static constexpr kernel_info info = Policy::info;
};

/// Waits until what the buffer that comes next held has been read.
template <int Count>
__device__ void wait_for_buffer() {
  if (threadIdx.x % 32 == 0) {
    arch::bulk_wait_group_read<Count - 1>();
  }
  __syncwarp();
}

/// Has TMA store a box from the buffer that comes next. Where it belongs is the same for the whole warp, which the
/// compiler must know to ask in few instructions.
template <int Count, class Product>
__device__ void store_box(Product const& params, store_stages<Count>& staged, int& next,
                          box_pairs<typename problem_of_product<Product>::output> const& pairs, int column, int row,
                          int batch) {
  using problem = problem_of_product<Product>;
  using output = typename problem::output;
  constexpr bool anew = sizeof(output) == 1 || !epilogue_facts_of<problem>::is_plain;
  write_box<output, anew>(staged.buffer[next], pairs);
  arch::fence_proxy_async();  // the writes, for TMA
  __syncwarp();               // for those of the other lanes
  if (threadIdx.x % 32 == 0) {
    arch::tma_store(params.c, column, row, matrix_of_c(params, batch), staged.buffer[next]);
    arch::bulk_commit_group();
  }
  next = next + 1 < Count ? next + 1 : 0;
}

/// What the warp's first lane has.
__device__ inline int of_first_lane(std::int64_t i) { return __shfl_sync(0xffffffffU, static_cast<int>(i), 0); }

/// Stores the boxes of a warp's rows, beside one another. The last begins within the one before where less than a box
/// is left, and their overlap is stored twice, but for an epilogue computed once. One fence for each box is faster than
/// one for all (docs/tuning-notes.md, stores). Registers that promoted accumulators no longer need hold all boxes: what
/// the epilogue reads is then awaited once.
template <class Policy, factors Factors, int Count, int Accums, class Product, class Accum>
__device__ void store_boxes(Product const& params, store_stages<Count>& staged, int& next, Accum const (&accum)[Accums],
                            block_tile const& tile) {
  using layout = warpgroup_layout<Policy>;
  using problem = problem_of_product<Product>;
  using output = typename problem::output;
  constexpr int columns = staged_box<output>::columns, last = 2 * Accums - columns,
                boxes = (2 * Accums + columns - 1) / columns;
  constexpr bool plain = epilogue_facts_of<problem>::is_plain;
  constexpr bool waits_first = plain || sizeof(output) == 1;  // so many pairs of bytes are written as they are finished
  constexpr bool at_once = !waits_first && sizeof(output) == 2 && Policy::info.promotion > 0;
  constexpr int finished = at_once ? boxes : 1;
  int const row = of_first_lane(tile.row + layout::warp_row()), column = of_first_lane(tile.column),
            batch = of_first_lane(tile.batch);
  box_pairs<output> pairs[finished];
  partial_for<problem> partial{};
#pragma unroll
  for (int begin = 0; begin < boxes; begin += finished) {
    if (waits_first) {
      wait_for_buffer<Count>();
    }
#pragma unroll
    for (int i = 0; i < finished; ++i) {
      int const box = (begin + i) * columns, first = box < last ? box : last;
      box_pairs<output> const& before = pairs[i > 0 ? i - 1 : 0];
      finish_box<layout, Factors>(params.loads.problem, accum, first / 2, first, plain ? 0 : box - first, tile, before,
                                  pairs[i], partial);
    }
#pragma unroll
    for (int i = 0; i < finished; ++i) {
      if (!waits_first) {  // what the epilogue reads may then be read early
        wait_for_buffer<Count>();
      }
      int const box = (begin + i) * columns, first = box < last ? box : last;
      store_box(params, staged, next, pairs[i], column + first, row, batch);
    }
  }
  flush_partial(params.loads.problem, partial);
}

/// Stores a warpgroup's accumulators: by TMA, if it can, which leaves out elements outside C; else from registers, for
/// elements that the epilogue must not see and for factors that are not ordinary. `next` is 0 before the first call,
/// and goes around the warp's buffers. The warp's first lane must bulk_wait_group_read() before it ends.
///
/// In as few instructions as possible: each takes register bandwidth from the warpgroup that multiplies meanwhile. So
/// an alpha of 1 is not multiplied by (docs/tuning-notes.md, stores).
template <class Policy, int Count, int Accums, class Product, class Accum>
__device__ void store_staged(Product const& params, store_stages<Count>& staged, int& next,
                             Accum const (&accum)[Accums], block_tile const& tile) {
  using layout = warpgroup_layout<Policy>;
  using problem = problem_of_product<Product>;
  constexpr bool plain = epilogue_facts_of<problem>::is_plain, rounds_only = epilogue_facts_of<problem>::is_identity;
  problem const& p = params.loads.problem;
  std::int64_t const top = tile.row + layout::warp_row();
  if (top >= p.m) {
    return;  // the whole warp
  }
  bool const is_cut = tile.column + 2 * Accums > p.n || top + staged_box<char>::rows > p.m;
  if constexpr (!fills_boxes<typename problem::output, Accums>) {
    store_accum<Policy>(p, accum, tile);
  } else if (!params.stores || ((!plain || !is_clipped<Product>)&&is_cut) ||
             !has_ordinary_factors<staged_box<char>::rows, 2 * Accums>(p, top, tile.column, tile.batch)) {
    store_accum<Policy, false>(p, accum, tile);
  } else if (rounds_only && p.alpha == 1) {
    store_boxes<Policy, rounds_only ? factors::one : factors::ordinary>(params, staged, next, accum, tile);
  } else {
    store_boxes<Policy, factors::ordinary>(params, staged, next, accum, tile);
  }
}

/// Stores by TMA the epilogue of a warpgroup's accumulators, the boxes of all pieces that lie below one another at
/// once. Values of columns are read once, behind one fence (docs/tuning-notes.md, stores).
template <class Layout, int Pieces, int Count, int Accums, class Product, class Accum>
__device__ void store_finished(Product const& params, store_stages<Count>& staged, Accum const (&accum)[Pieces][Accums],
                               block_tile const& tile) {
  using output = typename problem_of_product<Product>::output;
  constexpr int columns = staged_box<output>::columns, last = 2 * Accums - columns;
  static_assert(Pieces == Count);
  bool const leads = threadIdx.x % 32 == 0;
  int const row = of_first_lane(tile.row + Layout::warp_row()), column = of_first_lane(tile.column),
            batch = of_first_lane(tile.batch);
  box_pairs<output> pairs[Pieces];
  partial_for<problem_of_product<Product>> partial{};
#pragma unroll
  for (int begin = 0; begin < 2 * Accums; begin += columns) {
    int const first = begin < last ? begin : last;
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece) {
      finish_box<Layout, factors::ordinary>(params.loads.problem, accum[piece], first / 2, first, begin - first,
                                            {tile.row + piece * Layout::block_m, tile.column, tile.batch}, pairs[piece],
                                            pairs[piece], partial);
    }
    if (leads) {
      arch::bulk_wait_group_read<0>();  // for what the buffers held
    }
    __syncwarp();
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece) {
      write_box<output>(staged.buffer[piece], pairs[piece]);
    }
    arch::fence_proxy_async();  // the writes, for TMA
    __syncwarp();               // for those of the other lanes
    if (leads) {
#pragma unroll
      for (int piece = 0; piece < Pieces; ++piece) {
        arch::tma_store(params.c, column + first, row + piece * Layout::block_m, matrix_of_c(params, batch),
                        staged.buffer[piece]);
      }
      arch::bulk_commit_group();
    }
  }
  flush_partial(params.loads.problem, partial);
}

/// The same for a warpgroup that has 64 rows for each of Pieces.
template <class Policy, int Pieces, int Count, int Accums, class Product, class Accum>
__device__ void store_pieces(Product const& params, store_stages<Count>& staged, int& next,
                             Accum const (&accum)[Pieces][Accums], block_tile const& tile) {
  using problem = problem_of_product<Product>;
  using rows = rows_of_warpgroup<Policy>;
  // More accumulators leave no registers for as many finished ones, nor do boxes of so many bytes.
  if constexpr (Pieces == Count && Pieces * Accums <= 128 && !epilogue_facts_of<problem>::is_plain &&
                sizeof(typename problem::output) > 1) {
    using layout = warpgroup_layout<rows>;
    problem const& p = params.loads.problem;
    std::int64_t const bottom = tile.row + layout::warp_row() + (Pieces - 1) * layout::block_m + staged_box<char>::rows;
    if (params.stores && tile.column + 2 * Accums <= p.n && bottom <= p.m &&
        has_ordinary_factors<Pieces * layout::block_m, 2 * Accums>(p, tile.row, tile.column, tile.batch)) {
      store_finished<layout>(params, staged, accum, tile);
    } else {
#pragma unroll
      for (int piece = 0; piece < Pieces; ++piece) {
        store_accum<rows, false>(p, accum[piece], {tile.row + piece * rows::block_m, tile.column, tile.batch});
      }
    }
  } else {
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece) {
      store_staged<rows>(params, staged, next, accum[piece],
                         {tile.row + piece * rows::block_m, tile.column, tile.batch});
    }
  }
}

}  // namespace detail

}  // namespace gemm
