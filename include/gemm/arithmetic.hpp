// SPDX-License-Identifier: BSL-1.0
//! @file
//! Multiplication, addition and rounding of accumulators.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gemm::detail {

// Variables, because nvcc warns of the functions of numeric_limits in device code.
template <class T>
inline constexpr T least_of = (std::numeric_limits<T>::min)();
template <class T>
inline constexpr T greatest_of = (std::numeric_limits<T>::max)();

/// The nearest integer, in ties the even one; saturated, and 0 for NaN.
template <class To, class From>
__host__ __device__ To rounded_integer(From value) {
  constexpr To least = least_of<To>, greatest = greatest_of<To>;
  if constexpr (std::is_floating_point_v<From>) {
    // -2^(bits - 1) and 2^(bits - 1) are floating-point numbers, the greatest int32_t is no float.
    constexpr auto bound = static_cast<From>(least);
    From const rounded = std::rint(value);
    return value != value ? To(0) : rounded < bound ? least : rounded >= -bound ? greatest : static_cast<To>(rounded);
  } else {
    return static_cast<To>(value < least ? least : value > greatest ? greatest : value);
  }
}

/// The greatest common divisor of positive numbers: <numeric> costs every translation unit time.
constexpr int common_divisor(int x, int y) { return y == 0 ? x : common_divisor(y, x % y); }

/// An std::int32_t that is made of integers alone: of a real number it would drop the fraction.
class integer_factor {
 public:
  constexpr integer_factor(std::int32_t value) : value_(value) {}
  template <class Other>
  requires(std::is_convertible_v<Other, float>) constexpr integer_factor(Other value)
      : value_(static_cast<std::int32_t>(value)) {
    constexpr bool integer = std::is_integral_v<Other>;
    static_assert(integer,
                  "gemm: int8_t is multiplied by integers: alpha, beta and scaled() take no real number. Write the "
                  "epilogue gemm::scale(0.5f) for one.");
    static_assert(!integer || std::numeric_limits<Other>::digits <= 31,
                  "gemm: factors of int8_t are of std::int32_t. Convert them to it.");
  }
  constexpr operator std::int32_t() const { return value_; }

 private:
  std::int32_t value_;
};

/// What a caller passes as a factor of numbers of type T.
template <class T>
using factor = std::conditional_t<std::is_integral_v<T>, integer_factor, T>;

/// a * b; integers wrap modulo 2^32, where C++ leaves an overflow undefined.
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

}  // namespace gemm::detail
