// SPDX-License-Identifier: BSL-1.0
//! @file
//! Element types: what products of each are summed in, and how a sum becomes an element of C.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gemm {

/// A float in memory that is multiplied as the TF32 number nearest to it, which has float's exponents and 10 bits of
/// fraction. No float becomes one by itself: A and B are of tf32 where the caller says so, by as_tf32() or by a policy
/// whose name has it.
struct tf32 {
  float bits;  ///< as they are in memory

  tf32() = default;
  __host__ __device__ constexpr tf32(float value) : bits(value) {}

  /// The number that is multiplied, in ties the even one, as TMA rounds and cuBLAS does (seen on an H200): the largest
  /// floats become infinite, NaN stays NaN, denormals are kept as multiples of 2^-136, the least of these numbers.
  __host__ __device__ constexpr operator float() const {
    constexpr std::uint32_t exponent = 0x7f800000, dropped = 0x1fff;
    auto const word = __builtin_bit_cast(std::uint32_t, bits);
    std::uint32_t const nearest = (word + dropped / 2 + (word >> 13 & 1)) & ~dropped;
    return (word & exponent) == exponent ? bits : __builtin_bit_cast(float, nearest);
  }
};

namespace detail {

/// The type that products of elements of A and B are summed in; no member for types that are not multiplied.
///
///     A and B         sums     C
///     float           float    float, __half, __nv_bfloat16
///     tf32            float    float, __half, __nv_bfloat16
///     double          double   double
///     __half          float    float, __half, __nv_bfloat16
///     __nv_bfloat16   float    float, __half, __nv_bfloat16
///     int8_t          int32_t  int32_t, int8_t, float, __half, __nv_bfloat16
template <class T>
struct accumulator {};
template <>
struct accumulator<float> {
  using type = float;
};
template <>
struct accumulator<tf32> {
  using type = float;
};
template <>
struct accumulator<double> {
  using type = double;
};
template <>
struct accumulator<__half> {
  using type = float;
};
template <>
struct accumulator<__nv_bfloat16> {
  using type = float;
};
template <>
struct accumulator<std::int8_t> {
  using type = std::int32_t;
};

template <class T>
concept input_element = requires {
  typename accumulator<T>::type;
};

/// Whether C may hold T: the table above.
template <class In, class T>
inline constexpr bool legal_output = [] {
  if constexpr (!input_element<In>) {
    return false;
  } else if constexpr (std::is_same_v<In, double>) {
    return std::is_same_v<T, double>;
  } else {
    constexpr bool floating = std::is_same_v<T, float> || std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
    return floating ||
           (std::is_same_v<In, std::int8_t> && (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int8_t>));
  }
}();

/// A type's value in the type it is computed with; exact. float, double, int32_t and what is not listed stay.
template <class T>
__host__ __device__ T widen(T value) {
  return value;
}
__host__ __device__ inline float widen(tf32 value) { return value; }
__host__ __device__ inline float widen(__half value) { return __half2float(value); }
__host__ __device__ inline float widen(__nv_bfloat16 value) { return __bfloat162float(value); }
__host__ __device__ inline std::int32_t widen(std::int8_t value) { return value; }

template <class T>
using widened = decltype(widen(T{}));

/// The type of alpha * sum + beta * C, which epilogues are given: the accumulator's, but float where integers are
/// summed and C is floating-point.
template <class In, class Out>
using epilogue_value = std::conditional_t<std::is_integral_v<typename accumulator<In>::type>, widened<Out>,
                                          typename accumulator<In>::type>;

// Variables, because nvcc warns of the functions of numeric_limits in device code.
template <class T>
inline constexpr T least_of = (std::numeric_limits<T>::min)();
template <class T>
inline constexpr T greatest_of = (std::numeric_limits<T>::max)();

/// The element of C that a value becomes, rounded to the nearest, in ties to the even one.
///
/// To __half and __nv_bfloat16: what exceeds the type becomes infinite, NaN stays NaN, denormals are kept. To int8_t
/// and int32_t: what exceeds the type becomes its least or greatest value, NaN becomes 0. From int32_t to __half and
/// __nv_bfloat16 by way of float.
template <class To, class From>
__host__ __device__ To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<To, __half>) {
    return std::is_same_v<From, double> ? __double2half(static_cast<double>(value))
                                        : __float2half_rn(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, __nv_bfloat16>) {
    return std::is_same_v<From, double> ? __double2bfloat16(static_cast<double>(value))
                                        : __float2bfloat16_rn(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<To>) {
    constexpr To least = least_of<To>, greatest = greatest_of<To>;
    if constexpr (std::is_floating_point_v<From>) {
      // -2^(bits - 1) and 2^(bits - 1) are floating-point numbers, the greatest int32_t is no float.
      constexpr auto bound = static_cast<From>(least);
      From const rounded = std::rint(value);
      return value != value ? To(0) : rounded < bound ? least : rounded >= -bound ? greatest : static_cast<To>(rounded);
    } else {
      return static_cast<To>(value < least ? least : value > greatest ? greatest : value);
    }
  } else {
    return static_cast<To>(value);
  }
}

/// a * b; integers wrap round modulo 2^32, as the hardware's do, where C++ leaves an overflow undefined.
template <class T>
__host__ __device__ T multiply(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
  } else {
    return a * b;
  }
}

/// a * b + c, likewise; a fused multiply-add on a GPU.
template <class T>
__host__ __device__ T multiply_add(T a, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b) +
                          static_cast<std::uint32_t>(c));
  } else {
    return a * b + c;
  }
}

/// a * b + c as one instruction on a GPU, where the compiler might not see that it can fuse the two.
__host__ __device__ inline float fused_multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace detail

}  // namespace gemm
