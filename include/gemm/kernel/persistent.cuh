// SPDX-License-Identifier: BSL-1.0
//! @file
//! Persistent blocks: as many as the device holds, each of which computes one tile of C after the other.
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
#include <gemm/arch/tma.cuh>
#include <gemm/block/consumer_fragments.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/store.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/kernel/warp_specialized.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// action(tile) for every tile of the block's: of all products' tiles, each so many-th as there are blocks. An action
/// that returns false is not asked again.
template <class Policy, class Problem, class Action>
__device__ void for_each_tile(Problem const& p, Action action) {
  std::int64_t const of_product = std::int64_t{p.tiles_m} * p.tiles_n;
#pragma unroll 1
  for (std::int64_t index = blockIdx.x; index < of_product * p.batch_count; index += gridDim.x) {
    std::int64_t const batch = index / of_product;
    block_tile const tile = tile_of_index<Policy>(p, static_cast<int>(index - batch * of_product), batch);
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
    persistent_kernel(__grid_constant__ panel_problem<Problem> const x) {
  using accum = typename Problem::accum;
  using fragments = consumer_fragments<Policy, Problem::storage::a == major::k>;
  Problem const& p = x.problem;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  if (threadIdx.x == 0) {
    prefetch_maps(x);
    init_ring(shared.full, shared.empty, 1, Policy::template consumer_arrivals<true>);
    arch::fence_mbarrier_init();
  }
  __syncthreads();
  arch::wait_for_dependency();  // for who writes the operands

  ring_place<Policy::stages> at;
  if (threadIdx.x < Policy::producer_threads) {
    arch::setmaxnreg_dec<Policy::template producer_registers<true>>();
    if (threadIdx.x == 0) {
      bool first = true;
      for_each_tile<Policy>(p, [&](block_tile const& tile) {
        produce_by_tma<Policy>(x, shared, tile, range_of(p, tile), at, first);
        first = false;
      });
      // Now that nothing is left to ask for: blocks that come earlier take turns with these (sm_90, launched over and
      // over: 65536x64x64 in 19.4 instead of 17.7 us).
      arch::launch_dependents();
    }
    return;
  }
  arch::setmaxnreg_inc<Policy::template consumer_registers<true>>();
  for_each_tile<Policy>(p, [&](block_tile const& tile) {
    accum sum[fragments::rows][fragments::columns] = {};
    consume<Policy, true, fragments>(shared, at, (p.k + Policy::block_k - 1) / Policy::block_k, p.tiles_m, sum);
    store_tile<fragments, 4>(p, sum, tile);
  });
}

/// Whether a policy's blocks go from tile to tile, where TMA brings the operands.
template <class Policy>
inline constexpr bool is_persistent = requires {
  requires Policy::is_persistent;
};

}  // namespace detail

/// A warp_specialized policy whose blocks stay: a grid of no more than the device holds, and tiles in turn. Where TMA
/// cannot load the operands it is the policy itself, unless it is `repacked`: that goes outside.
///
/// Sums are bitwise those of Policy. k is not split, and where the rows of C are not aligned to 16 bytes they are
/// stored in pieces of 4.
template <class Policy>
struct persistent : Policy {
  static constexpr bool splits_k = false, splits_in_cluster = false, is_persistent = true;

  template <class T>
  static constexpr bool check() {
    constexpr bool legal = requires { requires detail::uses_tma<Policy> && Policy::groups == 1; }
    &&!detail::repacks<Policy> && !detail::is_split<Policy> && !detail::is_persistent<Policy>;
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
