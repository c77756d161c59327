// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a block_product has of each family of kernels: its shared memory, its main loop, and which thread holds which
//! accumulator. A thread's rows and columns are numbered from 0.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/block_index.cuh>
#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/mma.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/block/mma_fragments.cuh>
#include <gemm/block/mma_tile.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/warp_layout.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/pipelined_main_loop.cuh>
#include <gemm/kernel/sm80_mma.cuh>
#include <gemm/kernel/sm80_mma_loads.cuh>

namespace gemm::detail {

/// Of pipelined: multiply-adds of threads.
template <class Policy, class Problem, bool Wide>
class pipelined_block_product {
  using layout = warp_layout<Policy>;

 public:
  using accum = typename Problem::accum;
  using storage = typename Policy::template shared_storage<accum>;
  static constexpr int rows = layout::rows, columns = layout::columns, warps_n = Policy::block_n / Policy::warp_n;
  static constexpr int min_blocks = resident_blocks<Policy, Problem>;
  /// The bits of the lanes' numbers in which the lanes of a row differ.
  static constexpr int lanes_of_row = layout::lanes_m == 1 ? 31 : (layout::lanes_n - 1) << 1;

  template <class ViewA, class ViewB>
  __device__ __forceinline__ void multiply(storage& shared, ViewA const& of_a, ViewB const& of_b, std::int64_t row0,
                                           std::int64_t column0) {
    using in_storage = typename Problem::storage;
    pipeline_loader<Policy, typename Problem::element_a, in_storage::a, Policy::block_m, Wide> a(of_a, row0);
    pipeline_loader<Policy, typename Problem::element_b, in_storage::b, Policy::block_n, Wide> b(of_b, column0);
    multiply_pipelined<Policy, Problem, Wide>(shared, accumulators_, a, b, of_a.depth);
    __syncthreads();  // nobody reads the tiles any more
  }

  __device__ static int row(int i) { return layout::row(i); }
  __device__ static int column(int j) { return layout::column(j); }
  /// The warp's number among those of the same rows.
  __device__ static int warp_n() { return static_cast<int>(threadIdx.x) / 32 % warps_n; }
  __device__ accum& at(int i, int j) { return accumulators_[i][j]; }

 private:
  accum accumulators_[rows][columns] = {};
};

/// Of sm80_mma: tensor cores by mma.sync.
template <class Policy, class Problem, bool Wide>
class sm80_mma_block_product {
  using tiles = sm80_mma_tiles<Policy, Problem>;
  using atom = typename Policy::template atom<typename Problem::element_a, typename Problem::element_b>;
  using reader_a = fragment_reader<atom, typename tiles::a, Policy::warp_m, false>;
  using reader_b = fragment_reader<atom, typename tiles::b, Policy::warp_n, true>;
  static constexpr bool promotes = Policy::promotes && arch::mma_truncates<atom>();

 public:
  using accum = typename atom::accum_word;
  struct storage {
    alignas(1024) unsigned char ring[tiles::ring_bytes];
  };
  static constexpr int rows = Policy::warp_m / 8, columns = Policy::warp_n / 4;
  static constexpr int warps_n = Policy::block_n / Policy::warp_n, min_blocks = Policy::info.min_blocks;
  static constexpr int lanes_of_row = 3;

  template <class ViewA, class ViewB>
  __device__ __forceinline__ void multiply(storage& shared, ViewA const& of_a, ViewB const& of_b, std::int64_t row0,
                                           std::int64_t column0) {
    using tile_loads = sm80_mma_loads<Policy, Problem, Wide>;
    auto const begin = [&] { return tile_loads(of_a, of_b, row0, column0, arch::thread_index()); };
    tile_loads loads = begin();
    constexpr int ahead = Policy::stages - 1;
#pragma unroll
    for (int tile = 0; tile < ahead; ++tile) {
      loads.template start<false>(shared.ring + tile * tiles::stage_bytes, tile, 0, 1);
    }
    arch::shared_address const ring = arch::shared_address_of(shared.ring);
    warp_position<Policy> const of_warp;
    reader_a const read_a(ring, of_warp.lane, of_warp.row);
    reader_b const read_b(ring + arch::offset(tiles::a::bytes), of_warp.lane, of_warp.column);
    unsigned read = 0;  // the stage to multiply from; the one before it in the ring is filled
    auto const multiply_tile = [&](auto whole, int tile) {
      arch::cp_async_wait_group<ahead - 1>();
      __syncthreads();  // the tile is there, and nobody reads the one before it
      loads.template start<decltype(whole)::value>(
          shared.ring + (read == 0 ? tiles::ring_bytes : read) - tiles::stage_bytes, tile + ahead, 0, 1);
      if constexpr (promotes) {
        typename atom::accum_word of_tile[rows / 2][columns / 2][atom::words_c] = {};
        add_stage(of_tile, read_a, read_b, read);
        for_each_word([&](int i, int j, int word) { accumulators_[i][j][word] += of_tile[i][j][word]; });
      } else {
        add_stage(accumulators_, read_a, read_b, read);
      }
      read = read + tiles::stage_bytes == tiles::ring_bytes ? 0U : read + tiles::stage_bytes;
    };
    // Twice, so that tiles beside which whole ones are copied have no branch; the loads anew, as in sm80_mma_kernel.
    if constexpr (Wide) {
#pragma unroll 1
      for (int left = loads.whole_tiles; left > 0; --left) {
        multiply_tile(std::true_type{}, 0);
      }
      loads = begin();
      loads.advance(loads.whole_tiles + ahead);
    }
#pragma unroll 1
    for (int tile = loads.whole_tiles; tile < loads.k_tiles; ++tile) {
      multiply_tile(std::false_type{}, tile);
    }
    arch::cp_async_wait_group<0>();
    __syncthreads();  // nobody copies to or reads from the ring any more
  }

  /// Words 2 h and 2 h + 1 of an atom are of half h of its rows, and two columns of its 8.
  __device__ static int row(int i) {
    return warp() % Policy::warps_m * Policy::warp_m + outer_of(tiles::a::order, i / 2, i % 2, lane() / 4);
  }
  __device__ static int column(int j) {
    return warp_n() * Policy::warp_n + outer_of(tiles::b::order, j / 4, j / 2 % 2, lane() % 4 * 2 + j % 2);
  }
  __device__ static int warp_n() { return warp() / Policy::warps_m; }
  __device__ accum& at(int i, int j) { return accumulators_[i / 2][j / 2][i % 2 * 2 + j % 2]; }

 private:
  using words = typename atom::accum_word[rows / 2][columns / 2][atom::words_c];

  /// accum += the product of the tiles in a stage, B's 16 or 32 columns at a time.
  __device__ __forceinline__ static void add_stage(words& accum, reader_a const& read_a, reader_b const& read_b,
                                                   unsigned stage) {
    constexpr int at_once = reader_b::at_once;
#pragma unroll
    for (int step = 0; step < Policy::block_k / atom::k; ++step) {
      typename reader_a::fragments of_a;
      typename reader_b::fragments of_b;
      read_a.read(of_a, stage, step);
      reader_a::finish(of_a);
#pragma unroll
      for (int j = 0; j < columns / 4; j += at_once) {
        read_b.read(of_b, stage, step, j, j + at_once);
        reader_b::finish(of_b, j, j + at_once);
#pragma unroll
        for (int i = 0; i < rows / 2; ++i) {
#pragma unroll
          for (int column = 2 * j; column < 2 * (j + at_once); ++column) {
            typename atom::word words_a[atom::words_a], words_b[atom::words_b];
            of_a.get_a(words_a, i);
            of_b.get_b(words_b, column);
            arch::mma<atom>(accum[i][column], words_a, words_b);
          }
        }
      }
    }
  }

  template <class Use>
  __device__ __forceinline__ static void for_each_word(Use use) {
#pragma unroll
    for (int i = 0; i < rows / 2; ++i) {
#pragma unroll
      for (int j = 0; j < columns / 2; ++j) {
#pragma unroll
        for (int word = 0; word < atom::words_c; ++word) {
          use(i, j, word);
        }
      }
    }
  }

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }

  words accumulators_ = {};
};

/// Of types that a rule refuses.
struct no_block_product {
  using accum = float;
  struct storage {
    alignas(8) unsigned char bytes[32768];
  };
  static constexpr int rows = 1, columns = 1, warps_n = 1, min_blocks = 1, lanes_of_row = 0;

  template <class... Arguments>
  __device__ void multiply(Arguments const&...) {}
  __device__ static int row(int) { return 0; }
  __device__ static int column(int) { return 0; }
  __device__ static int warp_n() { return 0; }
  __device__ accum& at(int, int) { return accumulator_; }

 private:
  accum accumulator_ = 0;
};

/// The families, by the template that a policy derives from.
struct no_family {};
struct pipelined_family {
  template <class Policy, class Problem, bool Wide>
  using parts = pipelined_block_product<Policy, Problem, Wide>;
  template <class, class A, class B>
  static constexpr bool multiplies = std::is_same_v<A, B>;
};
struct sm80_mma_family {
  template <class Policy, class Problem, bool Wide>
  using parts = sm80_mma_block_product<Policy, Problem, Wide>;
  template <class Policy, class A, class B>
  static constexpr bool multiplies = !std::is_void_v<typename Policy::template atom<A, B>>;
};
no_family family_of(void const*);
template <class Block, class Warp, class Thread, class Stages>
pipelined_family family_of(pipelined<Block, Warp, Thread, Stages> const*);
template <class Block, class Warp, class Stages, class Input>
requires(!std::is_same_v<Input, half_accum>) sm80_mma_family family_of(sm80_mma<Block, Warp, Stages, Input> const*);

/// Of whole k: split_k and the like are schedules of a launch.
template <class Policy>
using block_product_family_of =
    std::conditional_t<info_of<Policy>.is_split(), no_family, decltype(family_of(static_cast<Policy const*>(nullptr)))>;
template <class Policy>
inline constexpr bool has_block_product = !std::is_same_v<block_product_family_of<Policy>, no_family>;

}  // namespace gemm::detail
