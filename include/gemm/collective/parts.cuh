// SPDX-License-Identifier: BSL-1.0
//! @file
//! The parts of a policy's kernel, by name; and what the other warps of the producer's warpgroup do: types.
//!
//!     loaders      threads of theirs that arrive when a stage is loaded
//!     init         initialises their barriers, by one thread
//!     run          their work; `thread` counts from 0
//!     goes_on      whether the producer loads more works than the first
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/staged_scales.cuh>
#include <gemm/collective/mma.cuh>
#include <gemm/collective/order.cuh>
#include <gemm/collective/store.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/schedule/cluster_works.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Nothing.
template <class Policy, class Problem>
struct help_nothing {
  static constexpr bool exists = false;
  static constexpr int loaders = 0;
  __device__ static void init(typename Policy::shared_storage&) {}
  __device__ static void run(wgmma_block<Policy, Problem> const&, int) {}
  __device__ static bool goes_on(wgmma_block<Policy, Problem> const&) { return true; }
};

/// They load the scales of blocks of the works that the producer has.
template <class Policy, class Problem>
struct help_scales : help_nothing<Policy, Problem> {
  static constexpr bool exists = true;
  static constexpr int loaders = scale_loaders<Policy>;
  __device__ static void init(typename Policy::shared_storage& shared) { init_scale_slots<Policy, Problem>(shared); }
  __device__ static void run(wgmma_block<Policy, Problem> const& block, int thread) {
    arch::wait_for_dependency();  // for who writes them
    scale_position<Policy, Problem> position;
    work w;
    cluster_works<Policy, sm90_wgmma_parameter<Policy, Problem>> works(block.params);
    for (int step = 0; works.next(step, w); ++step) {
      scale_loader<Policy, Problem> loader(block.problem(w), block.tile(w), w.k_begin, thread);
#pragma unroll 1
      for (int k = 0; k < w.k_tiles; ++k, position.advance()) {
        position.wait(block.shared);
        loader.load(block.shared, position.next.stage);
      }
    }
  }
};

/// Policies that multiply something else than the elements of A and B have a specialisation, and one each of
/// wgmma_parameter and product_tiles.
template <class Policy, class Problem>
struct wgmma_parts {
  using mma = mma_of<Policy, Problem>;
  using order = order_of<Policy, Problem>;
  using store = store_of<Policy, Problem, loads_register_operand<Policy, Problem>>;
  using help =
      std::conditional_t<stages_scales<Policy, Problem>, help_scales<Policy, Problem>, help_nothing<Policy, Problem>>;
};

}  // namespace gemm::detail
