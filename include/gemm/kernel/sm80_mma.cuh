// SPDX-License-Identifier: BSL-1.0
//! @file
//! sm80_mma: tensor cores by mma.sync, for every GPU from sm_80 on.
//!
//!     global -> shared      cp.async: a ring of `stages` tiles of k, XOR-swizzled, one __syncthreads a tile
//!     shared -> registers   ldmatrix, or loads, of step s + 1 while step s is multiplied
//!     registers -> C        through shared memory of each warp, 16 rows at a time
//!
//!     tile t           | step 0               | ... | last step
//!     read fragments   | step 1               |     | wait for tile t + 1, barrier; its step 0
//!     start copies     | tile t + stages - 1, | ... |
//!     multiply         | step 0               | ... | last step
//!
//! Where accumulators leave no registers for two sets of B's fragments there is one, of 16 columns at a time, of which
//! the first of the next step are read while the last of this one are multiplied.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mma.cuh>
#include <gemm/arch/mma_atom.hpp>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/cluster_accum.cuh>
#include <gemm/block/gated_store.cuh>
#include <gemm/block/mma_fragments.cuh>
#include <gemm/block/mma_input.hpp>
#include <gemm/block/mma_store.cuh>
#include <gemm/block/mma_tile.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/extremes.hpp>
#include <gemm/kernel/sm80_mma_loads.cuh>
#include <gemm/policy.hpp>
#include <gemm/schedule/block_works.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm {

namespace detail {

/// Stores a block's accumulators of its work, which is asked for again: to C, or the slices of one in a cluster or the
/// workspace. `shared` is theirs, where the ring was.
template <class Policy, class Tiles, class Problem, class Accum>
__device__ void store_mma_work(scheduled<Problem> const& params, work& w, Accum const& accum,
                               typename Tiles::shared_storage& shared) {
  constexpr auto order = Tiles::a::order;
  work_of_block<Policy>(params, w);
  warp_position<Policy> const stored;  // likewise
  std::int64_t row = std::int64_t{w.tile_m} * Policy::block_m + stored.row,
               column = std::int64_t{w.tile_n} * Policy::block_n + stored.column;
  if constexpr (has_origins<Problem>) {  // or ptxas orders the others' instructions anew
    product_origin const origin = origin_of(params, w.batch);
    row += origin.row;
    column += origin.column;
  }
  auto const& p = product_of(params, w.batch);
  using product = std::remove_cvref_t<decltype(p)>;
  if constexpr (supports_cluster_slices<Policy>) {
    if (params.order.mode == reduction::cluster) {
      auto* const of_block = reinterpret_cast<typename product::accum*>(&shared);
      share_mma_accum<Policy>(accum, of_block, stored);
      store_cluster_accum<Policy, Policy::threads>(
          p, w.slices, of_block, arch::thread_index(),
          {row - stored.row, column - stored.column, batch_of(params, w.batch)});
      return;
    }
  }
  auto& strip = shared.of_warp[stored.warp];
  if (params.order.mode == reduction::workspace) {
    mma_target<product, true> const slice{p, slices_of(params, w.batch), slice_number(params, w)};
    store_mma_tile<order>(slice, accum, strip, row, column, stored.lane);
  } else {
    if constexpr (Policy::stores_alone && !stores_by_row<Problem>) {
      if (stores_whole_tile<Policy::warp_m / 16, Policy::warp_n>(p, row, column)) {
        store_whole_mma_tile<order>(p, accum, strip, row, column, batch_of(params, w.batch), stored.lane);
        return;
      }
    }
    mma_target<product, false> const c{p, nullptr, batch_of(params, w.batch)};
    store_mma_tile<order>(c, accum, strip, row, column, stored.lane);
  }
}

template <class Policy, class Problem, bool Wide>
__global__ void __launch_bounds__(Policy::threads, Policy::info.min_blocks)
    sm80_mma_kernel(__grid_constant__ scheduled<Problem> const params) {
  using tiles = sm80_mma_tiles<Policy, Problem>;
  using tile_a = typename tiles::a;
  using tile_b = typename tiles::b;
  using atom = typename Policy::template atom<typename Problem::element_a, typename Problem::element_b>;
  using reader_a = fragment_reader<atom, tile_a, Policy::warp_m, false>;
  using reader_b = fragment_reader<atom, tile_b, Policy::warp_n, true>;
  constexpr int steps = Policy::block_k / atom::k, copying_steps = steps - 1, ahead = Policy::stages - 1;
  constexpr int rows = Policy::warp_m / 16, columns = Policy::warp_n / 8;
  constexpr bool two_sets = Policy::two_sets, promotes = Policy::promotes && arch::mma_truncates<atom>();
  constexpr int at_once = two_sets ? columns / 2 : reader_b::at_once;  // of B's 16 columns
  static_assert(steps % 2 == 0 && (two_sets || columns / 2 > at_once),
                "gemm: a set is filled while one is multiplied.");
  auto& shared = arch::dynamic_shared_memory<typename tiles::shared_storage>();

  arch::wait_for_dependency();  // for who writes the operands
  arch::launch_dependents();
  block_works<Policy, Problem> works(params);
  do {
    work w;
    if (!work_of_block<Policy>(params, w)) {
      return;  // the whole block
    }
    sm80_mma_loads<Policy, Problem, Wide> loads(params, w, arch::thread_index());
#pragma unroll
    for (int tile = 0; tile < ahead; ++tile) {
      loads.template start<false>(shared.ring + tile * tiles::stage_bytes, tile, 0, 1);
    }
    unsigned read = 0;  // the stage to multiply from; the one before it in the ring is filled
    auto const advance = [&] {
      read = read + tiles::stage_bytes == tiles::ring_bytes ? 0U : read + tiles::stage_bytes;
    };
    arch::shared_address const ring = arch::shared_address_of(shared.ring);
    warp_position<Policy> const of_warp;
    reader_a const read_a(ring, of_warp.lane, of_warp.row);
    reader_b const read_b(ring + arch::offset(tile_a::bytes), of_warp.lane, of_warp.column);
    typename reader_a::fragments of_a[2];
    typename reader_b::fragments of_b[two_sets ? 2 : 1];
    typename atom::accum_word accum[rows][columns][atom::words_c] = {};
    typename atom::accum_word of_tile[promotes ? rows : 1][promotes ? columns : 1][atom::words_c];
    auto const multiply = [&](int set, int i, int j) {
      typename atom::word words_a[atom::words_a], words_b[atom::words_b];
      of_a[set].get_a(words_a, i);
      of_b[two_sets ? set : 0].get_b(words_b, j);
      if constexpr (promotes) {
        arch::mma<atom>(of_tile[i][j], words_a, words_b);
      } else {
        arch::mma<atom>(accum[i][j], words_a, words_b);
      }
    };
    auto const for_each_accum = [&](auto use) {
#pragma unroll
      for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (int j = 0; j < columns; ++j) {
#pragma unroll
          for (int word = 0; word < atom::words_c; ++word) {
            use(accum[i][j][word], of_tile[i][j][word]);
          }
        }
      }
    };
    auto const wait_for_tile = [] {
      arch::cp_async_wait_group<ahead - 1>();
      __syncthreads();  // it is there, and nobody reads the one before it
    };
    auto const read_first = [&](int set, int step) {  // of a step
      read_a.read(of_a[set], read, step);
      read_b.read(of_b[two_sets ? set : 0], read, step, 0, at_once);
    };
    wait_for_tile();
    read_first(0, 0);
    auto const multiply_tile = [&](auto whole, int tile) {
      if constexpr (promotes) {
        for_each_accum([](auto&, auto& promoted) { promoted = 0; });
      }
      unsigned char* const filled = shared.ring + (read == 0 ? tiles::ring_bytes : read) - tiles::stage_bytes;
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        int const set = step % 2;
        auto const start_copies = [&] {
          if (step < copying_steps) {
            loads.template start<decltype(whole)::value>(filled, tile + ahead, step, copying_steps);
          }
        };
        auto const read_next = [&] {
          if (step == steps - 1) {
            advance();
            wait_for_tile();
          }
          read_first(1 - set, (step + 1) % steps);
        };
        if constexpr (two_sets) {
          read_next();
          start_copies();
#pragma unroll
          for (int i = 0; i < rows; ++i) {
            reader_a::finish(of_a[set], i, i + 1);
#pragma unroll
            for (int j = 0; j < columns; ++j) {  // back and forth: one operand stays
              if (i == 0 && j % 2 == 0) {
                reader_b::finish(of_b[set], j / 2, j / 2 + 1);
              }
              multiply(set, i, i % 2 == 0 ? j : columns - 1 - j);
            }
          }
        } else {
          start_copies();
          reader_a::finish(of_a[set]);
#pragma unroll
          for (int j = 0; j < columns / 2; ++j) {
            if (j % at_once == 0 && j + at_once < columns / 2) {  // while those before are multiplied
              read_b.read(of_b[0], read, step, j + at_once, j + 2 * at_once);
            } else if (j % at_once == 0) {
              read_next();
            }
            reader_b::finish(of_b[0], j, j + 1);
#pragma unroll
            for (int i = 0; i < rows; ++i) {
              multiply(set, j % 2 == 0 ? i : rows - 1 - i, 2 * j);
              multiply(set, j % 2 == 0 ? i : rows - 1 - i, 2 * j + 1);
            }
          }
        }
      }
      if constexpr (promotes) {
        for_each_accum([](auto& of_k, auto& promoted) { of_k += promoted; });
      }
    };
    // Twice, so that tiles beside which whole ones are copied have no branch.
    if constexpr (Wide) {
#pragma unroll 1
      for (int left = loads.whole_tiles; left > 0; --left) {
        multiply_tile(std::true_type{}, 0);
      }
      work_of_block<Policy>(params, w);
      loads = sm80_mma_loads<Policy, Problem, Wide>(params, w, arch::thread_index());
      loads.advance(loads.whole_tiles + ahead);
    }
#pragma unroll 1
    for (int tile = loads.whole_tiles; tile < loads.k_tiles; ++tile) {
      multiply_tile(std::false_type{}, tile);
    }
    arch::cp_async_wait_group<0>();
    __syncthreads();  // nobody copies to or reads from the ring any more

    store_mma_work<Policy, tiles>(params, w, accum, shared);
  } while (works.next());
}

}  // namespace detail

/// Tensor cores by mma.sync. Block: the tile of C and its depth, 64 or 128 bytes of k, for few rows 16 or 32 of them
/// and 128 bytes; Warp: one warp's part, of which 64 x 64 and 64 x 96 read least; Stages: tiles of each operand in the
/// ring, 2 to 5; Input: half_or_bf16, half_accum, tf32, std::int8_t, fp8, fp8_fast_accumulation or double.
///
/// half_accum is asked for by name alone. Each 16 k is then rounded to half: an element of C is off by at most
/// (k / 16 + 2) 2^-11 |A| |B|, and is infinite where an intermediate sum exceeds 65504.
///
/// Tensor cores accumulate, and truncate bits that do not fit beside the largest product. Accumulators of fp8 are
/// promoted every tile of k, 64 or 128, but with fp8_fast_accumulation. Ties of tf32 go to the even number from sm_90
/// on, before that away from 0.
template <class Block, class Warp, class Stages, class Input = half_or_bf16>
struct sm80_mma {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int warp_m = Warp::m, warp_n = Warp::n, stages = Stages::count;
  static constexpr int warps_m = detail::ratio(block_m, warp_m);
  static constexpr int threads = warps_m * detail::ratio(block_n, warp_n) * 32;
  static constexpr int accumulators = warp_m * warp_n / 32;
  static constexpr bool of_doubles = std::is_same_v<Input, double>;
  static constexpr int element = detail::mma_element_bytes<Input>;
  static constexpr bool promotes = std::is_same_v<Input, fp8>;
  static constexpr int ring_bytes = stages * (block_m + block_n) * block_k * element;
  /// Whether accumulators leave registers for two sets of fragments; and what a thread then
  /// needs, of fp8 at least 96 more on sm_90, which multiplies it as half, and of int8 16 more for its permutations.
  static constexpr int accum_registers = detail::mma_accum_registers<Warp, Input> * (promotes ? 2 : 1);
  static constexpr int fragment_registers = detail::mma_fragment_registers<Warp, Input>;
  static constexpr bool two_sets = accum_registers + 2 * fragment_registers <= 192;
  static constexpr int more_registers = promotes ? detail::greater(96 - accumulators, 48)
                                        : std::is_same_v<Input, fp8_fast_accumulation> ? 96
                                        : std::is_same_v<Input, std::int8_t>           ? 64
                                                                                       : 48;
  static constexpr int registers =
      detail::lesser(accum_registers + (two_sets ? 2 : 1) * fragment_registers + more_registers, 256);
  /// Blocks that share a multiprocessor, by registers and by the largest shared memory that one has.
  static constexpr int resident =
      detail::lesser(65536 / detail::greater(registers * threads, 1), 228 * 1024 / (ring_bytes + 1024));
  /// Whether tiles are so large that no other block multiplies while one stores.
  static constexpr bool stores_alone = resident <= 1 && block_m * block_n > 128 * 128;
  /// Whether blocks of a cluster can add what they have of a tile where their ring was: of doubles, for which there is
  /// no wgmma.
  static constexpr bool adds_clusters = of_doubles && block_m * (block_n + 2) * element <= ring_bytes;
  template <class T>
  static constexpr std::size_t accum_memory = ring_bytes;
  static constexpr kernel_info info{.op = math_op::mma,
                                    .loader = operand_loader::cp_async,
                                    .reductions = {.workspace = true, .cluster = adds_clusters},
                                    .stages = stages,
                                    .min_blocks = detail::greater(1, resident),
                                    .promotion = promotes ? block_k : 0,
                                    .dependent_launch = true,
                                    .tf32 = std::is_same_v<Input, tf32>};

  template <class A, class B>
  using atom = detail::mma_atom_for<Input, A, B>;

  template <class T>
  static constexpr bool check_operands() {
    return detail::check_mma_operands<std::conditional_t<std::is_same_v<Input, half_accum>, __half, Input>, T>();
  }

  template <class T>
  static constexpr bool check() {
    if constexpr (detail::legal_mma_tile<Block, Warp, Input>()) {
      if constexpr (detail::legal_mma_ring<Block, Warp, stages, Input>()) {
        return detail::fits_shared_memory<shared_bytes<T>>();
      }
    }
    return false;
  }

  /// Elements of a 16-byte copy.
  template <class T, major>
  static constexpr int access_width = 16 / static_cast<int>(sizeof(T));

  /// The ring, or where it was the strips of accumulators that are stored to C.
  template <class T>
  static constexpr std::size_t shared_bytes = [] {
    int const strips = threads / 32 * 16 * (warp_n + detail::most_strip_padding) * static_cast<int>(sizeof(T));
    return static_cast<std::size_t>(detail::greater(ring_bytes, (strips + 1023) / 1024 * 1024));
  }();

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &detail::sm80_mma_kernel<Policy, Problem, Wide>;
  }
};

}  // namespace gemm
