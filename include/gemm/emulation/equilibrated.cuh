// SPDX-License-Identifier: BSL-1.0
//! @file
//! Equilibrated terms: of A D and D^-1 B instead of A and B, D diagonal, so that the k of neither differ in scale.
//!
//!     a_ik b_kj = (a_ik d_k) (b_kj / d_k),   d_k the power of two for which the greatest element of column k of A, its
//!                                            rows scaled, and that of row k of B, its columns scaled, are alike
//!
//!     rows          of each row the greatest element                  over tiles of 64 rows x 64 k
//!     depths        of each k the greatest of what is so scaled       likewise
//!     equilibrated  of each row the greatest, times d_k               likewise
//!     split         the terms                                         likewise
//!
//! The first three need but exponents, which are kept as keys: ordered as they are, 0 for nothing but zeros.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/global_maximum.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_k_major.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// A batch of matrices of which equilibrated terms are made. Not for users; it is not in detail for the kernels'
/// symbols.
struct equilibrated_operand {
  float const* from;
  void* terms;  // as of split_operand
  int* exponents;
  std::uint32_t* lines;                      // [matrix][row], keys of what a row is scaled by first
  std::uint32_t* equilibrated;               // the same, times D
  std::uint32_t* depths;                     // [product][k]
  std::int64_t ld, stride, count, matrices;  // `count` rows
  std::int64_t blocks;
  bool by_k;
};

/// What the kernels receive: A and B. Not for users, likewise.
struct equilibrated_operands {
  equilibrated_operand operand[2];
  int depth;
  bool as_one;  // whether the products of the batch share an operand, and D
};

namespace detail {

enum class equilibration_step { lines, depths, equilibrated, split };

/// The key of an exponent, which may be a difference of two, and those of infinite elements and of NaN.
inline constexpr int key_of_0 = 1000;
inline constexpr std::uint32_t key_of_infinity = 1U << 20, key_of_nan = 1U << 21;

__host__ __device__ inline std::uint32_t key_of(float x) {
  std::uint32_t const bits = magnitude_bits(x);
  return bits == 0              ? 0
         : bits < infinite_bits ? static_cast<std::uint32_t>(key_of_0 - scale_of_greatest(bits, 0))
                                : (bits == infinite_bits ? key_of_infinity : key_of_nan);
}

/// The exponent of d_k, from the keys of A and of B for it. Where one has but zeros it is so far away that the other's
/// elements become zeros, too, instead of those by which a row is scaled.
__host__ __device__ inline int exponent_of_depth(std::uint32_t key_a, std::uint32_t key_b) {
  return (static_cast<int>(key_b) - static_cast<int>(key_a)) >> 1;
}

/// The scale of a row with this key, in place of which are what is_scale() knows: no more than a row of denormals
/// has.
template <class Terms>
__host__ __device__ int scale_of_key(std::uint32_t key) {
  constexpr int most = Terms::greatest + 149;
  int const exponent = key == 0 ? 0 : Terms::greatest + key_of_0 - static_cast<int>(key);
  return key >= key_of_nan ? has_nan : key >= key_of_infinity ? has_infinity : exponent < most ? exponent : most;
}

struct equilibration_storage {
  float tile[split_tile][split_tile + 1];  // [k][row]
  std::uint32_t line[split_tile];          // keys
  int power[split_tile];                   // of 2, by which what has this k is multiplied
};

/// A tile of an operand: the first of its rows, of its k, and the product of the batch that it is for.
struct equilibrated_tile {
  std::int64_t matrix, first, product;
  int k;
};

/// Writes the terms of a tile.
template <class Terms>
__device__ void split_equilibrated(equilibrated_operand const& o, int depth, equilibrated_tile const& tile,
                                   equilibration_storage const& shared) {
  constexpr int side = split_tile, width = split_run<true>, runs = side / width;
  int const thread = static_cast<int>(threadIdx.x);
  for (int line = thread / runs; line < side && tile.first + line < o.count; line += split_threads / runs) {
    std::int64_t const to = tile.matrix * o.count + tile.first + line;
    int const begin = thread % runs * width, exponent = scale_of_key<Terms>(shared.line[line]);
    float value[width];
#pragma unroll
    for (int i = 0; i < width; ++i) {
      int const power = shared.power[begin + i] + (is_scale(exponent) ? exponent : 0);
      constexpr int least = -252, most = 254;  // which scale::of() knows: what is beyond has only zeros
      scale const factor = scale::of(power < least ? least : power > most ? most : power);
      value[i] = shared.tile[begin + i][line] * factor.first * factor.second;
    }
    auto* const terms = static_cast<typename Terms::element*>(o.terms) + to * line_of_terms<Terms>(depth);
    store_terms<Terms>(terms, tile.k + begin, value);
    if (begin == 0 && tile.k == 0) {
      o.exponents[to] = exponent;
    }
  }
}

/// The greatest key of each row, or of each k, by four adjacent threads.
template <equilibration_step Step>
__device__ void reduce_keys(equilibrated_operand const& o, std::int64_t padded, equilibrated_tile const& tile,
                            equilibration_storage const& shared) {
  constexpr int side = split_tile, lanes = split_threads / side;
  int const thread = static_cast<int>(threadIdx.x), own = thread / lanes;
  std::uint32_t most = 0;
#pragma unroll
  for (int i = thread % lanes; i < side; i += lanes) {
    int const of_k = Step == equilibration_step::depths ? own : i,
              of_line = Step == equilibration_step::depths ? i : own;
    std::uint32_t key = key_of(shared.tile[of_k][of_line]);
    if constexpr (Step == equilibration_step::depths) {
      std::uint32_t const line = shared.line[of_line];  // at least the element's
      key = key == 0 || line >= key_of_infinity ? 0 : key + key_of_0 - line;
    } else if constexpr (Step == equilibration_step::equilibrated) {
      key = key == 0 || key >= key_of_infinity ? key : key + shared.power[of_k];
    }
    most = (max)(most, key);
  }
#pragma unroll
  for (int bit = lanes / 2; bit > 0; bit /= 2) {
    most = (max)(most, __shfl_xor_sync(0xffffffffU, most, bit));
  }
  if (thread % lanes == 0 && most != 0) {
    if constexpr (Step == equilibration_step::depths) {
      arch::reduce_max(o.depths + tile.product * padded + tile.k + own, most);
    } else {
      arch::reduce_max(
          (Step == equilibration_step::lines ? o.lines : o.equilibrated) + tile.matrix * o.count + tile.first + own,
          most);
    }
  }
}

/// One step for one tile.
template <class Terms, equilibration_step Step>
__device__ void equilibrate_tile(equilibrated_operands const& params, bool is_b, std::int64_t block,
                                 equilibration_storage& shared) {
  constexpr int side = split_tile, at_once = split_threads / side;
  equilibrated_operand const& o = params.operand[is_b ? 1 : 0];
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const padded = padded_depth(params.depth), down_k = padded / side,
                     of_matrix = down_k * ((o.count + side - 1) / side), matrix = block / of_matrix,
                     tile = block - matrix * of_matrix, first = tile / down_k * side,
                     product = params.as_one ? 0 : matrix;
  int const k = static_cast<int>(tile % down_k) * side;
  float const* const from = o.from + matrix * o.stride;
#pragma unroll
  for (int i = thread / side; i < side; i += at_once) {
    int const of_k = o.by_k ? thread % side : i, of_line = o.by_k ? i : thread % side;
    bool const inside = k + of_k < params.depth && first + of_line < o.count;
    std::int64_t const outer = first + of_line, inner = k + of_k;
    shared.tile[of_k][of_line] = inside ? from[o.by_k ? outer * o.ld + inner : inner * o.ld + outer] : 0.0F;
  }
  if (thread < side) {
    bool const inside = first + thread < o.count;
    std::uint32_t const* const keys = Step == equilibration_step::split ? o.equilibrated : o.lines;
    shared.line[thread] = Step != equilibration_step::lines && inside ? keys[matrix * o.count + first + thread] : 0;
    int power = 0;
    if constexpr (Step == equilibration_step::equilibrated || Step == equilibration_step::split) {
      std::int64_t const index = product * padded + k + thread;
      power = exponent_of_depth(params.operand[0].depths[index], params.operand[1].depths[index]);
      power = is_b ? -power : power;
    }
    shared.power[thread] = power;
  }
  __syncthreads();

  equilibrated_tile const own{matrix, first, product, k};
  if constexpr (Step == equilibration_step::split) {
    split_equilibrated<Terms>(o, params.depth, own, shared);
  } else {
    reduce_keys<Step>(o, padded, own, shared);
  }
}

template <class Terms, equilibration_step Step>
__global__ void __launch_bounds__(split_threads)
    fp16x3_equilibrate_kernel(__grid_constant__ equilibrated_operands const params) {
  auto& shared = arch::dynamic_shared_memory<equilibration_storage>();
  bool const is_b = blockIdx.x >= params.operand[0].blocks;
  equilibrate_tile<Terms, Step>(params, is_b, blockIdx.x - (is_b ? params.operand[0].blocks : 0), shared);
}

/// Whether a policy's terms are equilibrated.
template <class Policy>
inline constexpr bool is_equilibrated = Policy::info.equilibrated;

}  // namespace detail

/// An fp16x3 policy for A and B whose k differ in scale: A D and D^-1 B, with a D of any range, give the same errors as
/// A and B. The error of an element of C is at most
///
///     (k / 64 + 48) u |A| |B| + F (R sum_k |b| / d + S sum_k |a| d)
///
/// as of fp16x3, but R is the greatest element of the row of A D, S that of the column of D^-1 B. D is a diagonal
/// matrix of powers of two, by which multiplications are exact. For each k it equilibrates the greatest element of A's
/// column, once all rows have one scale, and that of B's row. It changes nothing where rows and columns differ in scale
/// alone, and does not help where elements do at random.
///
/// All else is as with the policy, but an element of C depends on all of A and B, in its last bits. Products of a batch
/// that share an operand have one D. Operands cannot be prepacked, nor the bound checked. It costs three more passes
/// over A and B, and a larger workspace: 16 bytes more for each row and column and, for each product, each k.
template <class Policy>
struct equilibrated : Policy {
  static constexpr kernel_info info = Policy::info.with(&kernel_info::equilibrated, true);

  template <class T>
  static constexpr bool check() {
    constexpr bool legal = Policy::info.split_terms && Policy::info.op == math_op::wgmma &&
                           !Policy::info.with_fallback && !Policy::info.equilibrated;
    static_assert(legal, "gemm: equilibrated needs an fp16x3 or bf16x6 policy, not with_fallback. Change the policy.");
    if constexpr (legal) {
      return Policy::template check<T>();
    }
    return false;
  }
};

}  // namespace gemm
