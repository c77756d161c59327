// SPDX-License-Identifier: BSL-1.0
//! @file
//! Floats as sums of two halves: how the rows of an operand are scaled and split. In this folder a row is a row of A or
//! a column of B.
//!
//! A row is multiplied by the power of two that scales its greatest element into [2^14, 2^15). Each element x of it
//! becomes high + low, both rounded to the nearest half. Together they have 22 bits and a sign:
//!
//!     |x - high - low|   at most 2^-23 |x| for an x of at least 2^-16 of the row's greatest element, at most 2^-39 of
//!                        that element for a smaller one, where low is a denormal half
//!
//! Low terms may be kept times 2^11: then it is so from 2^-27 on, and at most 2^-50 below.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::detail {

/// Of how many k a row of terms has whole multiples.
inline constexpr int chunk_depth = 64;

/// k rounded up to whole chunks.
__host__ __device__ constexpr std::int64_t padded_depth(std::int64_t k) {
  return (k + chunk_depth - 1) / chunk_depth * chunk_depth;
}

/// In place of the exponent of a row's scale: that it has a NaN; that it has an infinite element, and no NaN.
inline constexpr int has_nan = -20000, has_infinity = -10000;
__host__ __device__ constexpr bool is_scale(int exponent) { return exponent > has_infinity; }

/// The bits of |x|, which are ordered as the numbers are, infinity and NaN above all of them.
__host__ __device__ inline std::uint32_t magnitude_bits(float x) {
  return __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffU;
}
inline constexpr std::uint32_t infinite_bits = 0x7f800000U;

/// The exponent of the scale of a row whose greatest element has these magnitude_bits(), and is to have that exponent:
/// `to` - 127 to `to` + 149, and 0 for a row of zeros.
__host__ __device__ inline int scale_of_greatest(std::uint32_t bits, int to) {
  if (bits >= infinite_bits) {
    return bits == infinite_bits ? has_infinity : has_nan;
  }
  constexpr int bias = 127, digits = 23;
  std::uint32_t const as_integer = __builtin_bit_cast(std::uint32_t, static_cast<float>(bits));  // of a denormal: exact
  int const exponent = bits >> digits != 0 ? static_cast<int>(bits >> digits) - bias
                                           : static_cast<int>(as_integer >> digits) - bias - (bias - 1 + digits);
  return bits == 0 ? 0 : to - exponent;
}

/// 2^exponent, for -126 to 127.
__host__ __device__ inline float power_of_two(int exponent) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(exponent + 127) << 23);
}

/// 2^exponent as a product of two numbers that a float has even where it has not 2^exponent.
struct scale {
  float first, second;

  __host__ __device__ static scale of(int exponent) {
    return {power_of_two(exponent >> 1), power_of_two(exponent - (exponent >> 1))};
  }
};

/// Whether the scales of a row and a column, if both exponents are so, have a product that is a float's.
__host__ __device__ constexpr bool is_near(int exponent) { return exponent >= -63 && exponent <= 63; }

struct fp16_terms {
  __half high, low;
};

/// The terms of a row's element, the low one times `low_scale`. What is scaled is exact, or far below what the low
/// part can tell.
__host__ __device__ inline fp16_terms terms_of(float x, scale const& factor, float low_scale) {
  float const scaled = x * factor.first * factor.second;
  __half const high = __float2half_rn(scaled);
  return {high, __float2half_rn((scaled - __half2float(high)) * low_scale)};
}

}  // namespace gemm::detail
