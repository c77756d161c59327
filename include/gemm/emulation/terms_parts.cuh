// SPDX-License-Identifier: BSL-1.0
//! @file
//! Floats on tensor cores that multiply 16-bit terms (rung 12): the parameter of their kernels, and the parts that the
//! kernel of wgmma (kernel/sm90_wgmma_body.cuh) has for them.
//!
//!     load     as any; a tile of k is a chunk of 64, of as many stages as there are terms
//!     mma      mma_terms.cuh
//!     store    removes the scales, whose exponents come during the multiplications; or first adds the slices of the
//!              cluster's blocks (store_slices.cuh)
//!     help     with a fallback (with_fallback.cuh), idle warps read the facts of all rows, which decide whether
//!              anything is stored
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/collective/order.cuh>
#include <gemm/collective/parts.cuh>
#include <gemm/collective/store_by_row.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/mma_terms.cuh>
#include <gemm/emulation/store_slices.cuh>
#include <gemm/emulation/unscale.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm {

/// A problem of floats, whose maps are of the terms of A and B. Its storage means nothing: one kernel serves all. Not
/// for users; it is not in detail for the kernels' symbols.
template <class Problem>
struct terms_problem {
  tma_problem<Problem> loads;
  detail::split_source a, b;  // the first matrices
  detail::facts_of_lines facts_a, facts_b;
  int* refused;                   // set to whether the product was not computed, where a policy has a fallback
  void const *terms_a, *terms_b;  // for kernels without TMA

  __host__ __device__ friend tma_problem<Problem> const& loads_of(terms_problem const& params) { return params.loads; }
  __host__ __device__ friend Problem const& problem_of(terms_problem const& params) { return params.loads.problem; }
  __device__ friend void prefetch_maps(terms_problem const& params) { detail::prefetch_maps(params.loads); }
};

namespace detail {

template <class Policy, class Problem>
requires(Policy::info.split_terms) struct wgmma_parameter<Policy, Problem> {
  using type = terms_problem<Problem>;
};

/// The other warps read the facts of all rows. What they conclude is asked for again rather than kept, which spills.
template <class Policy, class Problem>
struct help_facts : help_nothing<Policy, Problem> {
  static constexpr bool exists = Policy::info.with_fallback;
  __device__ static void init(typename Policy::shared_storage& shared) {
    if constexpr (exists) {
      init_facts(shared.facts);
    }
  }
  __device__ static void run(wgmma_block<Policy, Problem> const& block, int thread) {
    auto const& params = product_of(block.params, 0);
    std::int64_t const k = problem_of(params).k;
    if (k > 0) {
      arch::wait_for_dependency();  // for the passes that note them
      read_facts(params.facts_a, params.facts_b, k, thread, block.shared.facts,
                 blockIdx.x + blockIdx.z == 0 ? params.refused : nullptr);
    }
  }
  /// Whether a product is not refused, or not yet known to be multiplied.
  __device__ static bool goes_on(wgmma_block<Policy, Problem> const& block) {
    return !exists || problem_of(product_of(block.params, 0)).k == 0 || !is_refused(block.shared.facts);
  }
};

/// The warp's buffer. Asked for again after a main loop, so that no register holds its address meanwhile.
template <class Storage>
__device__ auto& buffer_of_warp(Storage& shared) {
  int warp = static_cast<int>(threadIdx.x) / 32;
  arch::make_opaque(warp);
  return shared.of_warp[warp];
}

/// Accumulators of terms become C: their scales are removed, or what is not finite is put in their place.
template <class Policy, class Problem, class Params, class Buffer>
__device__ void store_terms_accum(Params const& params, float (&accum)[Policy::accumulators], block_tile const& tile,
                                  Buffer& buffer) {
  Problem const& p = problem_of(params);
  if (p.k > 0) {
    remove_scales<Policy, Policy::info.with_fallback>(p, accum, tile, buffer.exponents, sources_of(params, tile.batch));
  }
  if (!p.vector_c && p.beta == 0) {
    store_accum_by_rows<Policy>(p, accum, tile, buffer.lines);
  } else {
    store_accum<Policy>(p, accum, tile);
  }
}

template <class Policy, class Problem>
struct store_unscaled : store_without_hooks<Policy, Problem> {
  using block_type = wgmma_block<Policy, Problem>;

  template <class Order>
  __device__ void begin(block_type const& block, Order const& order, int k_tiles) {
    if (k_tiles > 0) {
      work const& w = order.item(block);
      auto const& params = block.product(w);
      start_exponents<Policy>(problem_of(params), buffer_of_warp(block.shared).exponents, block.tile(w),
                              sources_of(params, w.batch));
    }
  }
  __device__ void operator()(block_type const& block, work const& w, block_tile const& tile,
                             float (&accum)[1][Policy::accumulators]) {
    if (!help_facts<Policy, Problem>::goes_on(block)) {
      return;
    }
    auto const& params = block.product(w);
    auto& buffer = buffer_of_warp(block.shared);
    if constexpr (Policy::info.sliced) {
      store_slices<Policy, Policy::info.with_fallback>(params, block.shared, accum[0], w.slices, tile,
                                                       buffer.exponents);
    } else {
      store_terms_accum<Policy, Problem>(params, accum[0], tile, buffer);
    }
  }
};

template <class Policy, class Problem>
requires(Policy::info.split_terms) struct wgmma_parts<Policy, Problem> {
  using mma = mma_terms<Policy, Problem>;
  using order = order_all<Policy, Problem>;
  using store = store_unscaled<Policy, Problem>;
  using help = help_facts<Policy, Problem>;
};

}  // namespace detail

}  // namespace gemm
