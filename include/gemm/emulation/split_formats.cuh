// SPDX-License-Identifier: BSL-1.0
//! @file
//! Floats as sums of terms that tensor cores multiply: which terms, which of their products, and where terms lie.
//!
//!     fp16x3    two halves, 3 products: 22 bits of a float, in a range of 2^16 below its row's greatest element
//!     bf16x6    three bf16, 6 products: all 24 bits, in a range of 2^156
//!
//! A row's terms follow one another in memory, in pieces of 128 bytes: for each `run` of k all of the first terms, then
//! all of the second ones, and so on. Zeros fill up the last 64 k. 64 k of a row are a chunk, its pieces whole.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/emulation/scale.cuh>

namespace gemm {

/// Two terms of two floats that are multiplied.
struct part_product {
  int a, b;
};

/// Terms are numbered from the largest, 0, on. Of their products 0 x 0 comes last, the `small_product` ones before it,
/// in their order. Not for users; they are not in detail for the kernels' symbols.
template <int LowExponent>
struct half_terms {
  using element = __half;
  static constexpr int low_exponent = LowExponent;  // of the scale of low terms
  static constexpr int count = 2, run = 32;
  static constexpr int greatest = 14;            // the exponent that a row's greatest element is given
  static constexpr float least_whole = 0x1p-2F;  // of what is scaled, the least that has all the digits it may have
  static constexpr int small_count = 2;
  __host__ __device__ static constexpr part_product small_product(int i) {
    constexpr part_product all[small_count] = {{1, 0}, {0, 1}};
    return all[i];
  }

  __host__ __device__ static void split(float x, detail::scale const& factor, element (&part)[count]) {
    detail::fp16_terms const terms = detail::terms_of(x, factor, static_cast<float>(1 << low_exponent));
    part[0] = terms.high;
    part[1] = terms.low;
  }

  /// Two that are scaled, by instructions that have two results.
  __host__ __device__ static void split_pair(float x, float y, element (&part_x)[count], element (&part_y)[count]) {
    constexpr auto low_scale = static_cast<float>(1 << low_exponent);
    __half2 const high = __floats2half2_rn(x, y);
    float2 const back = __half22float2(high);
    __half2 const low = __floats2half2_rn((x - back.x) * low_scale, (y - back.y) * low_scale);
    part_x[0] = high.x;
    part_x[1] = low.x;
    part_y[0] = high.y;
    part_y[1] = low.y;
  }
};

/// All of a float: what is scaled and at least 2^-110 is the sum of its terms. The products of less than 2^-25 of the
/// whole are left out.
struct bf16_terms {
  using element = __nv_bfloat16;
  static constexpr int low_exponent = 0;
  static constexpr int count = 3, run = 64;
  static constexpr int greatest = 46;  // sums of 2^30 products stay finite
  static constexpr float least_whole = 0x1p-110F;
  static constexpr int small_count = 5;
  __host__ __device__ static constexpr part_product small_product(int i) {
    constexpr part_product all[small_count] = {{2, 0}, {0, 2}, {1, 1}, {1, 0}, {0, 1}};
    return all[i];
  }

  __host__ __device__ static void split(float x, detail::scale const& factor, element (&part)[count]) {
    float rest = x * factor.first * factor.second;
    for (int i = 0; i < count; ++i) {
      part[i] = __float2bfloat16_rn(rest);
      rest -= __bfloat162float(part[i]);
    }
  }
};

namespace detail {

/// Elements of terms in a piece. A chunk has as many pieces as there are terms.
inline constexpr int piece_elements = 64;
static_assert(piece_elements == chunk_depth);

/// Where a row has a part of element k, in elements.
template <class Terms>
__host__ __device__ constexpr int offset_of_term(int k, int part) {
  return k / Terms::run * (Terms::count * Terms::run) + part * Terms::run + k % Terms::run;
}

/// Elements that a row of so many k has.
template <class Terms>
__host__ __device__ constexpr std::int64_t line_of_terms(std::int64_t k) {
  return Terms::count * padded_depth(k);
}

/// The most k: coordinates of a row's elements are below 2^31.
template <class Terms>
inline constexpr std::int64_t most_depth = 0x7fffffff / Terms::count / chunk_depth* chunk_depth;

}  // namespace detail

}  // namespace gemm
