// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a warpgroup does with a chunk, 64 k of terms of floats: its products, and how it is added to the sums.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/block/multiply.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/swizzled_tile.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/kernel/sm90_wgmma.cuh>

namespace gemm::detail {

/// What a policy's blocks have in shared memory, pieces of rows whatever the storage.
template <class Policy>
struct term_tiles {
  using terms = typename Policy::terms;
  using element = typename terms::element;
  using a = swizzled_tile<element, major::k, Policy::block_m, piece_elements>;
  using b = swizzled_tile<element, major::k, Policy::block_n, piece_elements>;
  using atom = typename a::atom;
  static constexpr int pieces = terms::count, steps = chunk_depth / a::depth;

  /// The piece of a chunk that has a part for one of its steps, and where, in bytes.
  __device__ static constexpr int piece(int part, int step) {
    return offset_of_term<terms>(step * a::depth, part) / piece_elements;
  }
  __device__ static constexpr int offset(int part, int step) {
    return offset_of_term<terms>(step * a::depth, part) % piece_elements * a::element;
  }
};

/// The named barrier of a warpgroup's ping-pong turn.
__device__ constexpr int turn_of(int warpgroup) { return 1 + warpgroup; }

/// Gives the ping-pong turn to the other warpgroup, when all but the last group of products is done.
template <class Policy>
__device__ void give_turn(int warpgroup) {
  if constexpr (Policy::alternates) {
    arch::wgmma_wait_group<1>();  // for the small products, or most of them
    arch::named_barrier_arrive(turn_of(1 - warpgroup), Policy::consumer_threads);
  }
}

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

/// Where the pieces of a chunk are in the ring, for a warpgroup's multiplications.
template <class Policy>
struct ring_terms {
  using tiles = term_tiles<Policy>;

  arch::matrix_descriptor first_a, first_b, a[tiles::pieces] = {}, b[tiles::pieces] = {};
  int stage[tiles::pieces] = {};

  __device__ ring_terms(typename Policy::shared_storage& shared, int warpgroup)
      : first_a(tiles::a::matrix(shared.tiles.a[0], warpgroup * Policy::warpgroup_m)),
        first_b(tiles::b::matrix(shared.tiles.b[0], 0)) {}

  /// Waits for the next piece.
  __device__ void take(typename Policy::shared_storage& shared, int piece, ring_position<Policy::stages>& position) {
    stage[piece] = __shfl_sync(0xffffffffU, position.stage, 0);
    a[piece] = arch::advanced(first_a, stage[piece] * tiles::a::bytes);
    b[piece] = arch::advanced(first_b, stage[piece] * tiles::b::bytes);
    arch::mbarrier_wait_parity(shared.full[position.stage], position.phase);  // for the terms
    position.advance();
  }
};

/// A warpgroup's part of a chunk: from the ring's next stages into `chunk`, and added to `sum`. Where the accumulators
/// are compensated, the chunk begins with what the additions of the last one have lost: then errors do not grow with k.
///
/// Of two small products that mirror each other that of A's lower term comes first, or where the product is transposed
/// that of B's. So a C and its transpose are the same bit for bit.
template <class Policy, bool Transposed>
__device__ void multiply_chunk(typename Policy::shared_storage& shared, int warpgroup, int source,
                               ring_position<Policy::stages>& position, float (&chunk)[Policy::accumulators],
                               float (&accum)[Policy::accumulators]) {
  using tiles = term_tiles<Policy>;
  using terms = typename tiles::terms;
  constexpr int pieces = tiles::pieces, steps = tiles::steps;
  ring_terms<Policy> of_chunk(shared, warpgroup);
  auto const multiply = [&](part_product const& product, int step, bool first = false) {
    int const part_a = Transposed ? product.b : product.a, part_b = Transposed ? product.a : product.b;
    arch::wgmma<typename tiles::atom, false, false>(
        chunk, arch::advanced(of_chunk.a[tiles::piece(part_a, step)], tiles::offset(part_a, step)),
        arch::advanced(of_chunk.b[tiles::piece(part_b, step)], tiles::offset(part_b, step)),
        Policy::compensated || !first);
  };
  // The first piece before the ping-pong turn, for little latency between the other's products and these.
  of_chunk.take(shared, 0, position);
  if constexpr (Policy::alternates) {
    arch::named_barrier_sync(turn_of(warpgroup), Policy::consumer_threads);  // for the other's small products
  }
  arch::wgmma_fence();  // the last chunk has been read since; ptxas wants one after every such wait
  int have = 1;
#pragma unroll
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int piece = 0; piece < pieces; ++piece) {
      if (piece >= have && piece <= tiles::piece(terms::count - 1, step)) {
        of_chunk.take(shared, piece, position);
        arch::wgmma_fence();
        have = piece + 1;
      }
    }
    if (Policy::scales_low && step == steps - 1) {
      arch::wgmma_commit_group();  // the last ones are in flight while the other warpgroup gets ready
    }
#pragma unroll
    for (int i = 0; i < terms::small_count; ++i) {
      multiply(terms::small_product(i), step, step + i == 0);
    }
  }
  arch::wgmma_commit_group();
  if constexpr (Policy::scales_low) {
    give_turn<Policy>(warpgroup);
    arch::wgmma_wait_group<0>();  // for the rest of the small products
#pragma unroll
    for (float& x : chunk) {
      x *= power_of_two(-Policy::low_exponent);
    }
    arch::wgmma_fence();  // the chunk has been changed
  }
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    multiply({0, 0}, step);
  }
  arch::wgmma_commit_group();
  if constexpr (!Policy::scales_low) {
    give_turn<Policy>(warpgroup);
  }
  arch::wgmma_wait_group<0>();  // for the large one
#pragma unroll
  for (int piece = 0; piece < pieces; ++piece) {
    give_back<Policy>(shared.empty[of_chunk.stage[piece]], source);
  }
  add_chunk<Policy>(chunk, accum);
}

/// Whether a policy has tensor cores sum 16 k at a time, and not 64.
template <class Policy>
inline constexpr bool promotes_finely = Policy::info.sliced;

/// multiply_chunk() in steps of 16 k, each of which begins with 0 but the first. Ordinary additions add them to the
/// chunk, and that, with what additions lose, to the accumulator. A tensor core that adds a product to a sum of more
/// than sixteen like it truncates digits: in the median 3 units of 2^-24 of 64 positive products' sum; for 16, less
/// than 1.
template <class Policy>
__device__ void multiply_finely(typename Policy::shared_storage& shared, int warpgroup, int source, bool transposed,
                                ring_position<Policy::stages>& position, float (&chunk)[Policy::accumulators],
                                float (&accum)[Policy::accumulators]) {
  using tiles = term_tiles<Policy>;
  constexpr int steps = tiles::steps, low = tiles::offset(1, 0);
  int const small_a = transposed ? 0 : low, small_b = low - small_a;  // of the first small product
  static_assert(tiles::terms::count == 2 && !Policy::scales_low && Policy::compensated);
  ring_terms<Policy> of_chunk(shared, warpgroup);
  auto const start = [&](float(&to)[Policy::accumulators], int step, bool first) {
    int const piece = tiles::piece(0, step), offset = tiles::offset(0, step);
    auto const multiply = [&](int in_a, int in_b, bool adds) {
      arch::wgmma<typename tiles::atom, false, false>(to, arch::advanced(of_chunk.a[piece], in_a + offset),
                                                      arch::advanced(of_chunk.b[piece], in_b + offset), adds);
    };
    arch::wgmma_fence();  // the accumulators have been added since
    multiply(small_a, small_b, !first);
    multiply(small_b, small_a, true);
    multiply(0, 0, true);
    arch::wgmma_commit_group();
  };
  float part[Policy::accumulators];
  of_chunk.take(shared, 0, position);
  start(chunk, 0, false);
#pragma unroll
  for (int step = 1; step < steps; ++step) {
    if (tiles::piece(0, step) > tiles::piece(0, step - 1)) {
      of_chunk.take(shared, tiles::piece(0, step), position);
    }
    start(part, step, true);
    arch::wgmma_wait_group<0>();  // for this step, and the first
    if (step + 1 == steps || tiles::piece(0, step + 1) > tiles::piece(0, step)) {
      give_back<Policy>(shared.empty[of_chunk.stage[tiles::piece(0, step)]], source);
    }
#pragma unroll
    for (int i = 0; i < Policy::accumulators; ++i) {
      chunk[i] += part[i];
    }
  }
  add_compensated<false>(chunk, accum);
}

/// Chunk after chunk, as the policy does it.
template <class Policy>
__device__ void multiply_chunks(typename Policy::shared_storage& shared, int warpgroup, int source, bool transposed,
                                int chunks, ring_position<Policy::stages>& position,
                                float (&chunk)[Policy::accumulators], float (&accum)[Policy::accumulators]) {
  if constexpr (promotes_finely<Policy>) {
    for (int i = 0; i < chunks; ++i) {
      multiply_finely<Policy>(shared, warpgroup, source, transposed, position, chunk, accum);
    }
  } else if (transposed) {
    for (int i = 0; i < chunks; ++i) {
      multiply_chunk<Policy, true>(shared, warpgroup, source, position, chunk, accum);
    }
  } else {
    for (int i = 0; i < chunks; ++i) {
      multiply_chunk<Policy, false>(shared, warpgroup, source, position, chunk, accum);
    }
  }
}

}  // namespace gemm::detail
