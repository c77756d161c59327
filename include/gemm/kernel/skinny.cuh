// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rung for skinny products, where C has few rows or few columns and the time is that of reading the large operand.
//!
//!     few x k   | small operand |        through shared memory, a tile of block_k ahead of its use
//!     many x k  | large operand |        global memory -> registers, 16 bytes an access; read again as soon as used
//!
//!     The threads of a block share k, too: each sums the k's of its own chunks for its rows and all `few`. Those of
//!     neighbouring chunks are added pairwise, then those of neighbouring pairs, and so on: first by shuffles, then
//!     across warps through shared memory. The tree is the same in all storages.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/gemv_fragment.cuh>
#include <gemm/block/gemv_reduce.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>
#include <gemm/schedule/grid_work.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm {

namespace detail {

/// Blocks that should share a multiprocessor: as many as have registers for a thread's accumulators, its elements of
/// both operands in flight, a widened gemv fragment, and addresses.
template <class Policy, class Layout, class T>
inline constexpr int skinny_blocks = [] {
  constexpr int size = static_cast<int>(sizeof(T)), gemv_fragment = Layout::lines * Layout::chunk;
  constexpr int accumulators = Layout::few * Layout::lines * Layout::words;
  constexpr int gemv_fragments = Policy::template gemv_fragments_in_flight<Layout, T> * gemv_fragment * size / 4;
  constexpr int staged = Policy::few * Policy::block_k / Policy::threads * Layout::words;
  constexpr int widened = size < 4 ? gemv_fragment : 0;
  constexpr int addresses = Policy::few == 1 && Layout::lane_step > 1 ? 23 : 36;
  constexpr int needed = accumulators + gemv_fragments + staged + widened + addresses + 2 * Layout::passes;
  constexpr int registers = needed <= 64 ? 64 : needed <= 80 ? 80 : needed <= 128 ? 128 : 255;
  constexpr int blocks = 65536 / (registers * Policy::threads);
  return blocks > 1 ? blocks : 1;
}();

/// The elements of the operand with few rows or columns, and of the other one.
template <class Policy, class Problem>
using small_element = std::conditional_t<Policy::few_rows, typename Problem::element_a, typename Problem::element_b>;
template <class Policy, class Problem>
using large_element = std::conditional_t<Policy::few_rows, typename Problem::element_b, typename Problem::element_a>;
template <class Policy, class Problem>
using large_layout =
    gemv_layout<Policy, large_element<Policy, Problem>, Policy::few_rows ? Problem::storage::b : Problem::storage::a>;

/// How many rows (columns) of the large operand precede the last tile's own, so that the whole tile exists. A tile with
/// fewer of its own is read element by element.
template <class Policy, int Aligned>
__device__ int lines_before(std::int64_t extent, std::int64_t first) {
  std::int64_t const outside = first + Policy::many - extent;
  return outside > 0 && extent >= Policy::many && outside % Aligned == 0 ? static_cast<int>(outside) : 0;
}

template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads,
                                  skinny_blocks<Policy, large_layout<Policy, Problem>, large_element<Policy, Problem>>)
    skinny_kernel(__grid_constant__ scheduled<Problem> const params) {
  using accum = typename Problem::accum;
  using storage = typename Problem::storage;
  using layout = large_layout<Policy, Problem>;
  constexpr major large_major = Policy::few_rows ? storage::b : storage::a;
  constexpr major small_major = Policy::few_rows ? storage::a : storage::b;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int few = Policy::few, lines = layout::lines, warps_k = layout::warps_k;
  constexpr int in_flight = Policy::template gemv_fragments_in_flight<layout, large_element<Policy, Problem>>;
  using tile_type = chunked_tile<layout, Policy, small_element<Policy, Problem>, small_major>;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_in_grid<Policy>(params);
  if (!has_product(params, tile)) {
    return;  // the whole block
  }
  auto const& p = product_of(params, tile.batch);
  k_range const range = range_in_grid<Policy>(params.order, p.k);
  auto const a = part_of(operand_a(p, batch_of(params, tile.batch)), range.first, range.depth);
  auto const b = part_of(operand_b(p, batch_of(params, tile.batch)), range.first, range.depth);
  auto const make = [&](auto const& small_operand, auto const& large_operand, std::int64_t small_first,
                        std::int64_t large_first) {
    struct pair {
      tile_type small_tile;
      gemv_stream<layout, large_element<Policy, Problem>, large_major, Wide> large;
    };
    return pair{{small_operand, small_first}, {large_operand, large_first}};
  };
  constexpr int aligned = Wide && large_major == major::mn ? lines : 1;
  auto operands = [&] {
    if constexpr (Policy::few_rows) {
      return make(a, b, tile.row, tile.column - lines_before<Policy, aligned>(p.n, tile.column));
    } else {
      return make(b, a, tile.column, tile.row - lines_before<Policy, aligned>(p.m, tile.row));
    }
  }();
  auto& small_tile = operands.small_tile;
  auto& large = operands.large;

  accum accumulators[few][lines] = {};
  int read = 0;
  auto const add_pass = [&](int pass, auto const& gemv_fragment) {
    constexpr int step = layout::k_threads * tile_type::pitch;
    add_gemv_fragment<layout, large_major, large_element<Policy, Problem>>(
        accumulators, shared.of_small[read] + layout::chunk_index() * tile_type::pitch + pass * step, gemv_fragment);
  };
  auto const next_tile = [&] {
    read = 1 - read;
    small_tile.commit(shared.of_small[read]);
    __syncthreads();  // the tile is there, and nobody reads the last one any more
  };
  packed<large_element<Policy, Problem>, layout::width> gemv_fragments[in_flight][layout::pieces];
  auto const add_tile = [&](auto fetch) {  // and start to read what comes in_flight passes later
    small_tile.fetch();
#pragma unroll
    for (int pass = 0; pass < layout::passes; ++pass) {
      auto& gemv_fragment = gemv_fragments[pass % in_flight];
      add_pass(pass, gemv_fragment);
      fetch(gemv_fragment);
    }
    next_tile();
  };
  auto const fetch_whole = [&](auto& gemv_fragment) { large.fetch_whole(gemv_fragment); };
  auto const fetch = [&](auto& gemv_fragment) {
    if (large.has_any()) {
      large.fetch(gemv_fragment);
    } else {
#pragma unroll
      for (auto& piece : gemv_fragment) {
        piece = {};
      }
    }
  };

  if ((Policy::few_rows ? p.constant.b : p.constant.a) && large.has_whole(block_k)) {
    large.template prefetch_whole<in_flight>();
  }
  arch::wait_for_dependency();  // for who writes the operands, and who reads or writes C and the workspace
  arch::launch_dependents();
  small_tile.fetch();  // first, because it is needed first
  if (large.has_whole(block_k)) {
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      large.fetch_whole(gemv_fragments[i]);
    }
    next_tile();
    while (large.has_whole(block_k)) {
      add_tile(fetch_whole);
    }
  } else {
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      fetch(gemv_fragments[i]);
    }
    next_tile();
  }
  while (small_tile.was_inside()) {
    add_tile(fetch);
  }

  int const first = add_lanes<layout>(accumulators);
  constexpr int left = few * lines > layout::lanes_k ? few * lines / layout::lanes_k : 1;
  if (layout::lane_k() < few * lines) {  // others hold what these do
#pragma unroll
    for (int i = 0; i < left; ++i) {
      int const small_line = (first + i) / lines, of_line = (first + i) % lines;
      int const large_line = layout::template line<Wide>() + of_line * layout::template line_step<Wide>;
      int const row = Policy::few_rows ? small_line : large_line, column = Policy::few_rows ? large_line : small_line;
      shared.of_warp[layout::warp_k()][row][column] = accumulators[i / lines][i % lines];
    }
  }
  __syncthreads();
  block_tile const stored = tile_in_grid_again<Policy>(params);  // asked for again, instead of kept in registers
  int const before = Policy::few_rows ? lines_before<Policy, aligned>(p.n, stored.column)
                                      : lines_before<Policy, aligned>(p.m, stored.row);
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < block_m * block_n; i += Policy::threads) {
    int const row = i / block_n, column = i % block_n;
    int const to_row = Policy::few_rows ? row : row - before, to_column = Policy::few_rows ? column - before : column;
    if ((Policy::few_rows ? to_column : to_row) >= 0) {
      accum const total = add_pairwise<warps_k, block_m * block_n>(&shared.of_warp[0][row][column]);
      if (params.order.mode == reduction::workspace) {
        slice_rows<accum>(p, slices_of(params, stored.batch), slice_in_grid(params), stored)
            .store(to_row, to_column, total);
      } else {
        store_row<1>(p, &total, stored.row + to_row, stored.column + to_column, batch_of(params, stored.batch));
      }
    }
  }
}

}  // namespace detail

/// For products with few rows or few columns. Block: the tile of C, and the depth of a tile of the small operand. The
/// tile's smaller side is the most rows (columns) that one reading of B (A) serves. Warps: the warps of a block.
///
/// A thread holds block_k * (larger side) / threads elements of the large operand. It has up to 128 bytes in flight,
/// which hides the latency of memory.
template <class Block, class Warps>
struct skinny : detail::any_operands {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int threads = Warps::count * 32;
  static constexpr bool few_rows = block_m < block_n;
  static constexpr int few = few_rows ? block_m : block_n, many = few_rows ? block_n : block_m;
  static constexpr int share = detail::ratio(many * block_k, threads);  ///< of the large operand's tile, a thread's
  static constexpr int accumulators = 4 * few;
  static constexpr kernel_info info{.reductions = {.workspace = true},
                                    .few = few,
                                    .many = many,
                                    .skinny_m = few_rows,
                                    .dependent_launch = true,
                                    .options = {.narrow_a = few_rows, .narrow_b = !few_rows}};

  static constexpr int small_elements = (few + 1) * block_k;
  template <class T>
  union alignas(16) shared_storage {
    T of_small[2][small_elements];
    T of_warp[Warps::count][block_m][block_n];
  };

  template <class T>
  static constexpr bool check() {
    constexpr auto power_of_two = [](int x) { return x > 0 && (x & (x - 1)) == 0; };
    constexpr bool sides = few >= 1 && few <= 16 && few < many;
    static_assert(
        sides,
        "gemm: the smaller of block_m and block_n must be 1 to 16, and the other larger (a thread accumulates "
        "all of the smaller one). Change block.");
    constexpr bool powers = power_of_two(few) && power_of_two(many) && many >= 16 && power_of_two(block_k) &&
                            block_k >= 32 && power_of_two(Warps::count);
    static_assert(!sides || powers,
                  "gemm: block_m, block_n, block_k and warps must be powers of two, the larger side at least 16 and "
                  "block_k at least 32 (accumulators are added pairwise). Change block or warps.");
    constexpr bool shared_out = share >= 16 && share <= 64 && detail::legal_threads(threads);
    static_assert(!sides || !powers || shared_out,
                  "gemm: block_k * (the larger of block_m and block_n) must be 16 to 64 elements for each of the 32 to "
                  "1024 threads. Change block or warps.");
    if constexpr (sides && powers && shared_out) {
      return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
    }
    return false;
  }

  /// Elements of an access to the large operand.
  template <class T, major Major>
  static constexpr int access_width = detail::gemv_layout<skinny, T, Major>::width;

  /// Patches of the large operand in a thread's registers.
  template <class Layout, class T>
  static constexpr int gemv_fragments_in_flight = detail::least(Layout::passes, 128 / (Layout::lines * Layout::chunk *
                                                                                       static_cast<int>(sizeof(T))));

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::skinny_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
