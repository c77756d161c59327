// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 10, persistent blocks: as many as the device holds, each of which computes one tile of C after the other.
//!
//!     producer   goes through the k of a block's first tile, of its second, ..., never further ahead than the ring has
//!                stages: while the consumers store a tile, those of the next are already on their way
//!     consumers  multiply, store, multiply, store, ...; two blocks share a multiprocessor, and while one stores the
//!                other multiplies
//!
//! For products with a short k and many tiles, where a block of its own for each tile would wait for its first operands
//! about as long as it multiplies (sm_90, float: 65536x64x64 in 17.7 us, the pipelined rung 22.9).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/consumer_fragments.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/block/store.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/kernel/warp_specialized.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// tile_of_index() for those who ask for every tile of a product, in fewer instructions: beside them others multiply.
/// No signs, no division by a constant's power of two, and none for the band where there is one alone.
template <class Policy, class Problem>
__device__ block_tile tile_in_bands(Problem const& p, unsigned index, std::int64_t batch) {
  constexpr unsigned band = 2048 / Policy::block_m > 1 ? 2048 / Policy::block_m : 1;
  auto const tiles_m = static_cast<unsigned>(p.tiles_m);
  unsigned first_row = 0, rows = tiles_m;
  if (tiles_m > band) {
    unsigned const of_band = band * static_cast<unsigned>(p.tiles_n), before = index / of_band;
    index -= before * of_band;
    first_row = before * band;
    rows = tiles_m - first_row < band ? tiles_m - first_row : band;
  }
  unsigned const column = rows == band ? index / band : index / rows, row = first_row + index - column * rows;
  return {.row = std::int64_t{row} * Policy::block_m, .column = std::int64_t{column} * Policy::block_n, .batch = batch};
}

/// Of all products' tiles.
template <class Policy, class Problem>
__device__ block_tile tile_of_batch(Problem const& p, std::int64_t index) {
  std::int64_t const of_product = std::int64_t{p.tiles_m} * p.tiles_n,
                     batch = p.batch_count == 1 ? 0 : index / of_product;
  return tile_in_bands<Policy>(p, static_cast<unsigned>(index - batch * of_product), batch);
}
template <class Problem>
__device__ std::int64_t tiles_of_batch(Problem const& p) {
  return std::int64_t{p.tiles_m} * p.tiles_n * p.batch_count;
}

/// action(tile) for every tile of the block's: of all products' tiles, each so many-th as there are blocks. An action
/// that returns false is not asked again.
template <class Policy, class Problem, class Action>
__device__ void for_each_tile(Problem const& p, Action action) {
#pragma unroll 1
  for (std::int64_t index = blockIdx.x; index < tiles_of_batch(p); index += gridDim.x) {
    block_tile const tile = tile_of_batch<Policy>(p, index);
    if constexpr (std::is_same_v<decltype(action(tile)), bool>) {
      if (!action(tile)) {
        return;
      }
    } else {
      action(tile);
    }
  }
}

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, Policy::resident)
    persistent_kernel(__grid_constant__ tma_problem<Problem> const x) {
  using accum = typename Problem::accum;
  constexpr bool turns = turns_squares<Policy, Problem>;
  using fragments = consumer_fragments<Policy, Problem::storage::a == major::k, tile_of_b_in<Policy, Problem, true>>;
  Problem const& p = x.problem;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  if (threadIdx.x == 0) {
    prefetch_maps(x);
    init_ring(shared.full, shared.empty, Policy::template producer_arrivals<true>(turns && !p.squares_of_b),
              Policy::template consumer_arrivals<true, turns>);
    if constexpr (turns) {
      init_landed(shared.landed);
    }
    arch::fence_mbarrier_init();
  }
  __syncthreads();
  arch::wait_for_dependency();  // for who writes the operands

  ring_place<Policy::stages> at;
  auto const tiles_of_k = (p.k + Policy::block_k - 1) / Policy::block_k;
  if (threadIdx.x < Policy::producer_threads) {
    arch::setmaxnreg_dec<Policy::template producer_registers<true, turns>>();
    if (threadIdx.x == 0) {
      bool first = true;
      for_each_tile<Policy>(p, [&](block_tile const& tile) {
        produce_by_tma<Policy>(x, shared, tile, range_of(p, tile), at, first);
        first = false;
      });
      // Now that nothing is left to ask for: blocks that come earlier take turns with these (sm_90, launched over and
      // over: 65536x64x64 in 19.4 instead of 17.7 us).
      arch::launch_dependents();
    } else if constexpr (turns) {
      if (threadIdx.x >= 32 && !p.squares_of_b) {
        std::int64_t const blocks = gridDim.x, left = tiles_of_batch(p) - blockIdx.x;
        turn_tiles<Policy>(shared, at, (left + blocks - 1) / blocks * tiles_of_k);
      }
    }
    return;
  }
  arch::setmaxnreg_inc<Policy::template consumer_registers<true, turns>>();
  auto const last_blocks = static_cast<int>((p.k - 1) % Policy::block_k / fragments::steps + 1);
  for_each_tile<Policy>(p, [&](block_tile const& tile) {
    accum sum[fragments::rows][fragments::columns] = {};
    consume<Policy, true, fragments>(p, shared, at, tiles_of_k, sum, last_blocks);
    fragments::straighten(sum);
    store_tile<fragments, 4, false, true>(p, sum, tile);
  });
}

/// Whether a policy's blocks go from tile to tile, where TMA brings the operands.
template <class Policy>
inline constexpr bool is_persistent = Policy::info.is_persistent();

}  // namespace detail

/// A warp_specialized policy whose blocks stay: a grid of no more than the device holds, and tiles in turn. Where TMA
/// cannot load the operands it is the policy itself, unless it is `repacked`: that goes outside.
///
/// Sums are bitwise those of Policy. k is not split, and where the rows of C are not aligned to 16 bytes they are
/// stored in pieces of 4.
template <class Policy>
struct persistent : Policy {
  static constexpr kernel_info info = [] {
    kernel_info changed = Policy::info;
    changed.schedule = tile_schedule::persistent;
    changed.reductions = {};
    changed.sums_whole_as_slice = false;
    return changed;
  }();

  template <class T>
  static constexpr bool check() {
    constexpr kernel_info const& of = Policy::info;
    constexpr bool legal = of.uses_tma() && of.k_groups == 1 && !of.repacks && !of.is_split() && !of.is_persistent();
    static_assert(legal,
                  "gemm: persistent needs a warp_specialized policy with one k_groups, inside repacked. Change the "
                  "policy.");
    if constexpr (legal) {
      return Policy::template check<T>();
    }
    return false;
  }

  template <class Own, class Problem, bool Tma>
  static auto kernel() {
    if constexpr (Tma) {
      return &detail::persistent_kernel<Own, Problem>;
    } else {
      return Policy::template kernel<Own, Problem, Tma>();
    }
  }
};

}  // namespace gemm
