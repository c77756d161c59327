// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warpgroup's multiplications of a work of split terms: a part of the kernel of wgmma (collective/parts.cuh).
//!
//!     a = high + low, b = high + low     (scaled, see scale.cuh; split by the kernels of split_k_major.cuh)
//!     a b = high high + high low + low high, less low low, which is below the error of the split
//!
//! Tensor cores truncate where a float's addition rounds, which over a long k would lean all accumulators towards 0. So
//! they accumulate chunks of 64 k only, small products first; float additions add each chunk ("promotion"). Of two
//! warpgroups one adds a chunk while the other multiplies.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/collective/mma_wgmma.cuh>
#include <gemm/collective/wgmma_block.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>

namespace gemm::detail {

/// Pieces of rows, whatever the storage: a chunk has as many as there are terms.
template <class Policy, class Problem>
requires(Policy::info.split_terms) struct product_tiles<Policy, Problem> {
  using terms = typename Policy::terms;
  using element = typename terms::element;
  using a = swizzled_tile<element, major::k, Policy::block_m, piece_elements>;
  using b = swizzled_tile<element, major::k, Policy::block_n, piece_elements>;
  static constexpr bool swaps = false;
  static constexpr int stages_of_k = terms::count, steps = chunk_depth / a::depth;
  using first = a;
  using second = b;
  using atom = typename a::atom;

  /// The piece of a chunk that has a part for one of its steps, and where, in bytes.
  __device__ static constexpr int piece(int part, int step) {
    return offset_of_term<terms>(step * a::depth, part) / piece_elements;
  }
  __device__ static constexpr int offset(int part, int step) {
    return offset_of_term<terms>(step * a::depth, part) % piece_elements * a::element;
  }
};

/// Adds a chunk to the accumulators; where these are compensated, it becomes what the additions have lost.
template <class Policy>
__device__ void add_chunk(float (&chunk)[Policy::accumulators], float (&accum)[Policy::accumulators]) {
  if constexpr (Policy::compensated) {
    add_compensated<Policy::adds_in_place>(chunk, accum);
    if constexpr (Policy::scales_low) {
#pragma unroll
      for (float& x : chunk) {
        x *= power_of_two(Policy::low_exponent);  // as small products are
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < Policy::accumulators; ++i) {
      accum[i] += chunk[i];
    }
  }
}

/// Multiplies chunk after chunk, each from the ring's next stages, and adds it. Where the accumulators are compensated,
/// a chunk begins with what the additions of the last one have lost: then errors do not grow with k.
template <class Policy, class Problem>
class mma_terms {
  using block_type = wgmma_block<Policy, Problem>;
  using tiles = product_tiles<Policy, Problem>;
  using terms = typename Policy::terms;
  using accumulators = float[Policy::accumulators];
  static constexpr int pieces = terms::count, steps = tiles::steps;
  stage_operands<Policy, Problem> stages_;
  int warpgroup_;

 public:
  __device__ explicit mma_terms(block_type const& block) : stages_(block), warpgroup_(block.warpgroup) {
    if (Policy::takes_turns && warpgroup_ == 1) {
      arch::named_barrier_arrive(turn_of(0), Policy::consumer_threads);  // whose first phase begins at once
    }
  }

  template <class Order, class Each, class Last>
  __device__ void run(block_type const& block, Order& order, int k_tiles, float (&accum)[1][Policy::accumulators],
                      Each each, Last last) {
    float chunk[Policy::accumulators] = {};
#pragma unroll
    for (float& x : accum[0]) {
      x = 0;
    }
    auto const for_each_chunk = [&](auto multiply_chunk) {
      for (int i = 0; i < k_tiles; ++i) {
        multiply_chunk();
        each();
      }
    };
    bool const transposed = problem_of(product_of(block.params, 0)).swapped_ab;
    if constexpr (Policy::info.sliced) {
      for_each_chunk([&] { multiply_finely(transposed, order.position, chunk, accum[0]); });
#pragma unroll
      for (int i = 0; i < Policy::accumulators; ++i) {
        accum[0][i] += chunk[i];  // what the last addition has lost
      }
    } else if (transposed) {
      for_each_chunk([&] { multiply<true>(order.position, chunk, accum[0]); });
    } else {
      for_each_chunk([&] { multiply<false>(order.position, chunk, accum[0]); });
    }
    last();
  }

 private:
  /// The named barrier of a warpgroup's turn.
  __device__ static constexpr int turn_of(int warpgroup) { return 1 + warpgroup; }

  /// The pieces of a chunk, as far as they have been waited for.
  struct chunk_pieces {
    typename stage_operands<Policy, Problem>::stage_tiles tile[pieces] = {};
    int stage[pieces] = {};
  };

  __device__ void wait_for(chunk_pieces& chunk, int piece, ring_position<Policy::stages>& position) const {
    chunk.stage[piece] = __shfl_sync(0xffffffffU, position.stage, 0);
    chunk.tile[piece] = stages_.loaded(position);
    position.advance();
  }

  /// Starts the product of a term of A and one of B.
  __device__ static void start(chunk_pieces const& loaded, int part_a, int part_b, int step, accumulators& chunk,
                               bool adds) {
    arch::wgmma<typename tiles::atom, false, false>(
        chunk, arch::advanced(loaded.tile[tiles::piece(part_a, step)].first, tiles::offset(part_a, step)),
        arch::advanced(loaded.tile[tiles::piece(part_b, step)].second, tiles::offset(part_b, step)), adds);
  }

  /// Passes the turn to the other warpgroup, when all but the last group of products is done.
  __device__ void pass_turn() const {
    if constexpr (Policy::takes_turns) {
      arch::wgmma_wait_group<1>();  // for the small products, or most of them
      arch::named_barrier_arrive(turn_of(1 - warpgroup_), Policy::consumer_threads);
    }
  }

  /// Of two small products that mirror each other that of A's lower term comes first, or where the product is
  /// transposed that of B's. So a C and its transpose are the same bit for bit.
  template <bool Transposed>
  __device__ void multiply(ring_position<Policy::stages>& position, accumulators& chunk, accumulators& accum) const {
    chunk_pieces loaded;
    auto const start_product = [&](part_product const& product, int step, bool adds) {
      start(loaded, Transposed ? product.b : product.a, Transposed ? product.a : product.b, step, chunk, adds);
    };
    // The first piece before the turn, for little latency between the other's products and these.
    wait_for(loaded, 0, position);
    if constexpr (Policy::takes_turns) {
      arch::named_barrier_sync(turn_of(warpgroup_), Policy::consumer_threads);  // for the other's small products
    }
    arch::wgmma_fence();  // the last chunk has been read since; ptxas wants one after every such wait
    int have = 1;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int piece = 0; piece < pieces; ++piece) {
        if (piece >= have && piece <= tiles::piece(terms::count - 1, step)) {
          wait_for(loaded, piece, position);
          arch::wgmma_fence();
          have = piece + 1;
        }
      }
      if (Policy::scales_low && step == steps - 1) {
        arch::wgmma_commit_group();  // the last ones are in flight while the other warpgroup gets ready
      }
#pragma unroll
      for (int i = 0; i < terms::small_count; ++i) {
        start_product(terms::small_product(i), step, Policy::compensated || step + i > 0);
      }
    }
    arch::wgmma_commit_group();
    if constexpr (Policy::scales_low) {
      pass_turn();
      arch::wgmma_wait_group<0>();  // for the rest of the small products
#pragma unroll
      for (float& x : chunk) {
        x *= power_of_two(-Policy::low_exponent);
      }
      arch::wgmma_fence();  // the chunk has been changed
    }
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      start_product({0, 0}, step, true);
    }
    arch::wgmma_commit_group();
    if constexpr (!Policy::scales_low) {
      pass_turn();
    }
    arch::wgmma_wait_group<0>();  // for the large one
#pragma unroll
    for (int const stage : loaded.stage) {
      stages_.release(stage);
    }
    add_chunk<Policy>(chunk, accum);
  }

  /// The same in steps of 16 k, each of which begins with 0 but the first: a tensor core that adds a product to a sum
  /// of more than sixteen like it truncates digits. Ordinary additions add them to the chunk, and that to the
  /// accumulator.
  __device__ void multiply_finely(bool transposed, ring_position<Policy::stages>& position, accumulators& chunk,
                                  accumulators& accum) const {
    static_assert(!Policy::info.sliced || (terms::count == 2 && !Policy::scales_low && Policy::compensated));
    int const low = tiles::offset(1, 0), small_a = transposed ? 0 : low, small_b = low - small_a;
    chunk_pieces loaded;
    auto const start_step = [&](accumulators& to, int step, bool first) {
      auto const& piece = loaded.tile[tiles::piece(0, step)];
      int const offset = tiles::offset(0, step);
      auto const multiply_terms = [&](int in_a, int in_b, bool adds) {
        arch::wgmma<typename tiles::atom, false, false>(to, arch::advanced(piece.first, in_a + offset),
                                                        arch::advanced(piece.second, in_b + offset), adds);
      };
      arch::wgmma_fence();  // the accumulators have been added since
      multiply_terms(small_a, small_b, !first);
      multiply_terms(small_b, small_a, true);
      multiply_terms(0, 0, true);
      arch::wgmma_commit_group();
    };
    float part[Policy::accumulators];
    wait_for(loaded, 0, position);
    start_step(chunk, 0, false);
#pragma unroll
    for (int step = 1; step < steps; ++step) {
      if (tiles::piece(0, step) > tiles::piece(0, step - 1)) {
        wait_for(loaded, tiles::piece(0, step), position);
      }
      start_step(part, step, true);
      arch::wgmma_wait_group<0>();  // for this step, and the first
      if (step + 1 == steps || tiles::piece(0, step + 1) > tiles::piece(0, step)) {
        stages_.release(loaded.stage[tiles::piece(0, step)]);
      }
#pragma unroll
      for (int i = 0; i < Policy::accumulators; ++i) {
        chunk[i] += part[i];
      }
    }
    add_compensated<false>(chunk, accum);
  }
};

}  // namespace gemm::detail
