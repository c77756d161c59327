// SPDX-License-Identifier: BSL-1.0
//! @file
//! The test for float arithmetic's error of a product of split floats: facts of the rows of A and columns of B, and the
//! conclusion from all of them.
//!
//! Of a row (a row of A, a column of B; see scale.cuh) with R its greatest element, an element is
//!
//!     large     if it is 2^-7 R or more
//!     tiny      if it is below 2^-16 R, and not 0: what its terms lose is in proportion to R, not to the element
//!
//! A product without a tiny element has the error of its terms, in proportion to |A| |B|. With tiny ones it has that of
//! 2^-39 (R sum |b| + S sum |a|), too. That is at most 4u |A| |B| if large elements of each row meet large ones of each
//! column for an eighth of k. So the row and the column with the most elements that are not large may have seven
//! eighths of k of these together. Rows of zeros meet nothing, and lose nothing.
//!
//! That holds for numbers of nearly every distribution. It does not where few numbers of a row are far above all
//! others. Nor does it for a matrix A D where more than a few columns have other scales.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/emulation/scale.cuh>

namespace gemm::detail {

/// A row's facts in a word: how many of its elements are not large, and in the uppermost bit whether one is tiny.
inline constexpr std::uint32_t tiny_bit = 1U << 31;

/// The facts of a row that has a NaN or an infinite element: more elements than a product may have.
inline constexpr std::uint32_t nonfinite_facts = tiny_bit | 1U << 30;

/// How many of a row's elements are large, and which is the least that is not 0. What is not there is 0, and neither.
struct seen_elements {
  std::uint32_t large = 0, least = infinite_bits;  // its magnitude_bits()

  /// Elements as they are: scaled ones may have become 0.
  template <int Run>
  __host__ __device__ void see(float const (&value)[Run]) {
    float own = __builtin_bit_cast(float, infinite_bits);
    for (float const x : value) {
      own = fminf(own, fabsf(x));
    }
    if (own == 0) {
      own = __builtin_bit_cast(float, infinite_bits);
      for (float const x : value) {
        own = x != 0 ? fminf(own, fabsf(x)) : own;
      }
    }
    std::uint32_t const bits = magnitude_bits(own);
    least = bits < least ? bits : least;
  }

  /// Elements that are scaled.
  template <class Terms, int Run>
  __host__ __device__ void see_scaled(float const (&value)[Run]) {
    constexpr std::uint32_t least_large =
        __builtin_bit_cast(std::uint32_t, static_cast<float>(std::int64_t{1} << (Terms::greatest - 6)));
    constexpr float below = __builtin_bit_cast(float, least_large - 1);
    for (float const x : value) {
      large += __builtin_bit_cast(std::uint32_t, below - fabsf(x)) >> 31;  // the sign, in two instructions
    }
  }

  /// tiny_bit, if one is tiny.
  template <class Terms>
  __host__ __device__ std::uint32_t tiny(scale const& factor) const {
    return __builtin_bit_cast(float, least) * factor.first * factor.second < Terms::least_whole ? tiny_bit : 0;
  }
};

/// Whether a product of such a k has the bound, if no row of A and column of B has more small and tiny elements.
__host__ __device__ constexpr bool has_bound(std::uint32_t facts_a, std::uint32_t facts_b, std::int64_t k) {
  std::int64_t const small_count = std::int64_t{facts_a & ~tiny_bit} + (facts_b & ~tiny_bit);
  return ((facts_a | facts_b) & tiny_bit) == 0 || 8 * small_count <= 7 * k;
}

/// The facts of an operand's rows, of all matrices, from a multiple of 16 bytes on.
struct facts_of_lines {
  std::uint32_t const* data;
  std::int64_t count;
};

inline constexpr int fact_warps = 3;

/// What the warps that read the facts have found.
struct facts_storage {
  std::uint32_t found[fact_warps][2];
  bool refused;            // whether the product may lack the bound
  arch::mbarrier read;     // completes when all warps have: fact_warps arrivals
  arch::mbarrier decided;  // when the first one knows what follows
};

/// By one thread, as with mbarrier_init().
__device__ inline void init_facts(facts_storage& shared) {
  arch::mbarrier_init(shared.read, fact_warps);
  arch::mbarrier_init(shared.decided, 1);
}

/// More small elements of the two, and whether either has a tiny one.
__host__ __device__ constexpr std::uint32_t worse_of(std::uint32_t a, std::uint32_t b) {
  std::uint32_t const small_a = a & ~tiny_bit, small_b = b & ~tiny_bit;
  return (small_a > small_b ? small_a : small_b) | ((a | b) & tiny_bit);
}

/// The worst of an operand's rows; the same for the whole warp. `warp`, of so many: which pieces it reads.
template <int Warps>
__device__ std::uint32_t worst_facts(facts_of_lines const& lines, int warp, int lane) {
  std::uint32_t worst = 0;
  std::int64_t const pieces = lines.count / 4;
#pragma unroll 4
  for (std::int64_t i = warp * 32 + lane; i < pieces; i += Warps * 32) {
    auto const piece = load_vector<4>(lines.data + 4 * i);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      worst = worse_of(worst, piece.element[j]);
    }
  }
  if (4 * pieces + lane < lines.count) {
    worst = worse_of(worst, lines.data[4 * pieces + lane]);
  }
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    worst = worse_of(worst, __shfl_xor_sync(0xffffffffU, worst, bit));
  }
  return worst;
}

/// By fact_warps warps, `thread` counting theirs: reads all facts and decides whether a product of such a k is refused.
/// Returns it to the block, and stores it where `refused` is not null.
__device__ inline void read_facts(facts_of_lines const& a, facts_of_lines const& b, std::int64_t k, int thread,
                                  facts_storage& shared, int* refused) {
  int const warp = thread / 32, lane = thread % 32;
  std::uint32_t const of_a = worst_facts<fact_warps>(a, warp, lane), of_b = worst_facts<fact_warps>(b, warp, lane);
  if (lane == 0) {
    shared.found[warp][0] = of_a;
    shared.found[warp][1] = of_b;
    arch::mbarrier_arrive(shared.read);
  }
  if (thread == 0) {
    arch::mbarrier_wait_parity(shared.read, 0);  // for what the other warps have found
    std::uint32_t worst[2] = {};
#pragma unroll
    for (int operand = 0; operand < 2; ++operand) {
#pragma unroll
      for (int i = 0; i < fact_warps; ++i) {
        worst[operand] = worse_of(worst[operand], shared.found[i][operand]);
      }
    }
    shared.refused = !has_bound(worst[0], worst[1], k);
    arch::mbarrier_arrive(shared.decided);
    if (refused != nullptr) {
      *refused = shared.refused ? was_refused : was_accepted;
    }
  }
}

/// The same by all Warps of a block, without mbarriers. Before and after, `found` may be used for something else.
template <int Warps>
__device__ bool refuses(facts_of_lines const& a, facts_of_lines const& b, std::int64_t k,
                        std::uint32_t (&found)[Warps][2], int* refused) {
  int const warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  std::uint32_t const of_a = worst_facts<Warps>(a, warp, lane), of_b = worst_facts<Warps>(b, warp, lane);
  if (lane == 0) {
    found[warp][0] = of_a;
    found[warp][1] = of_b;
  }
  __syncthreads();  // all warps have found theirs
  std::uint32_t worst[2] = {};
#pragma unroll
  for (int i = 0; i < Warps; ++i) {
    worst[0] = worse_of(worst[0], found[i][0]);
    worst[1] = worse_of(worst[1], found[i][1]);
  }
  __syncthreads();  // the memory may be used for something else
  bool const result = !has_bound(worst[0], worst[1], k);
  if (refused != nullptr && threadIdx.x == 0) {
    *refused = result ? was_refused : was_accepted;
  }
  return result;
}

/// What read_facts() says.
__device__ inline bool is_refused(facts_storage& shared) {
  arch::mbarrier_wait_parity(shared.decided, 0);  // for the warps that read the facts
  return shared.refused;
}

}  // namespace gemm::detail
