// SPDX-License-Identifier: BSL-1.0
//! @file
//! The element types that are tested, and what the tests have to know of each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/reference.hpp>

#include "tier.hpp"

namespace test {

using tf32 = gemm::tf32;
using half = __half;
using bfloat16 = __nv_bfloat16;
using int8 = std::int8_t;
using int32 = std::int32_t;

/// The element types of a product: A and B of In, C of Out.
template <class In, class Out = In>
struct types {
  using input = In;
  using output = Out;
  using accum = gemm::detail::accumulator<In>;
  static constexpr bool integral = std::is_integral_v<In>;
};

// Named by the operands' type and, where it is another, C's: what Catch2 prints of a test.
using f32 = types<float>;
using f64 = types<double>;
using tf32_f32 = types<tf32, float>;
using f16 = types<half>;
using bf16 = types<bfloat16>;
using s8 = types<int8>;
using f32_f16 = types<float, half>;
using f32_bf16 = types<float, bfloat16>;
using f16_f32 = types<half, float>;
using f16_bf16 = types<half, bfloat16>;
using bf16_f32 = types<bfloat16, float>;
using bf16_f16 = types<bfloat16, half>;
using s8_s32 = types<int8, int32>;
using e4m3_f32 = types<__nv_fp8_e4m3, float>;
using e4m3 = types<__nv_fp8_e4m3>;
using f32_e4m3 = types<float, __nv_fp8_e4m3>;
using f16_e5m2 = types<half, __nv_fp8_e5m2>;
using s8_f32 = types<int8, float>;
using s8_f16 = types<int8, half>;
using s8_bf16 = types<int8, bfloat16>;

// Tested with every policy of the list; with one of each rung; with those whose stores differ. And those whose results
// must be rounded; whose operands have NaN and infinities to propagate. Sanitizers see accesses, which depend on the
// types' sizes: they have one pair of types of each.
#if defined(GEMM_TEST_COMPILED) && defined(GEMM_TEST_CPU_DEVICE)  // what the library has there, and one that it lacks
#define GEMM_TEST_WIDE_TYPES test::f32
#define GEMM_TEST_NARROW_TYPES test::bf16
#define GEMM_TEST_MIXED_FLOATING_TYPES test::bf16
#define GEMM_TEST_MIXED_TYPES test::s8_s32, test::s8
#define GEMM_TEST_ROUNDED_TYPES test::bf16
#define GEMM_TEST_FLOATING_TYPES test::f32, test::bf16
#define GEMM_TEST_ALL_TYPES test::f32, test::bf16, GEMM_TEST_MIXED_TYPES
#else
#define GEMM_TEST_WIDE_TYPES test::f32, test::f64
#define GEMM_TEST_NARROW_TYPES                        \
  GEMM_TEST_UNDER_SANITIZERS(test::f16, test::s8_s32) \
  GEMM_TEST_UNLESS_SANITIZED(test::f16, test::bf16_f32, test::s8_s32)
#define GEMM_TEST_MIXED_FLOATING_TYPES      \
  GEMM_TEST_UNDER_SANITIZERS(test::f32_f16) \
  GEMM_TEST_UNLESS_SANITIZED(test::bf16, test::f32_f16, test::f32_bf16, test::f16_f32, test::f16_bf16, test::bf16_f16)
#define GEMM_TEST_MIXED_TYPES                                                                               \
  GEMM_TEST_MIXED_FLOATING_TYPES,                                                                           \
      GEMM_TEST_UNDER_SANITIZERS(test::s8) GEMM_TEST_UNLESS_SANITIZED(test::s8, test::s8_f32, test::s8_f16, \
                                                                      test::s8_bf16, test::f32_e4m3, test::f16_e5m2)
#define GEMM_TEST_ROUNDED_TYPES             \
  GEMM_TEST_UNDER_SANITIZERS(test::f32_f16) \
  GEMM_TEST_UNLESS_SANITIZED(test::f32_f16, test::f32_bf16, test::f16_bf16)
// tf32's kernels access memory as those of float do, and wait as those of half.
#define GEMM_TEST_FLOATING_TYPES                                            \
  GEMM_TEST_WIDE_TYPES,                                                     \
      GEMM_TEST_UNDER_SANITIZERS(test::f16, GEMM_TEST_MIXED_FLOATING_TYPES) \
          GEMM_TEST_UNLESS_SANITIZED(test::f16, test::bf16_f32, GEMM_TEST_MIXED_FLOATING_TYPES, test::tf32_f32)
#define GEMM_TEST_ALL_TYPES                             \
  GEMM_TEST_WIDE_TYPES, GEMM_TEST_NARROW_TYPES,         \
      GEMM_TEST_UNDER_SANITIZERS(GEMM_TEST_MIXED_TYPES) \
          GEMM_TEST_UNLESS_SANITIZED(GEMM_TEST_MIXED_TYPES, test::tf32_f32, test::e4m3_f32, test::e4m3)
#endif

using wide_types = std::tuple<GEMM_TEST_WIDE_TYPES>;
using narrow_types = std::tuple<GEMM_TEST_NARROW_TYPES>;
using all_types = std::tuple<GEMM_TEST_ALL_TYPES>;

template <class Types, class List>
inline constexpr bool contains = false;
template <class Types, class... List>
inline constexpr bool contains<Types, std::tuple<List...>> = (std::is_same_v<Types, List> || ...);

template <class T>
constexpr char const* name_of() {
  return gemm::element_traits<T>::name.data();
}

/// An element as a number of reference arithmetic.
template <class T>
gemm::wide_t<T> number(T element) {
  return static_cast<gemm::wide_t<T>>(gemm::detail::widen(element));
}

/// Whether what exceeds the largest number becomes it.
template <class T>
inline constexpr bool saturates = sizeof(T) == 1 || std::is_integral_v<T>;

/// The element nearest to a number, in ties the even one: what gemm::detail::convert promises, by other means.
template <class T, class Wide>
T rounded(Wide value) {
  using format = gemm::element_traits<T>;
  if constexpr (std::is_integral_v<T>) {
    Wide const nearest = std::nearbyint(value), least = std::numeric_limits<T>::min();
    return std::isnan(value)            ? T(0)
           : nearest < least            ? std::numeric_limits<T>::min()
           : nearest > format::greatest ? std::numeric_limits<T>::max()
                                        : static_cast<T>(nearest);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else if constexpr (std::is_same_v<T, tf32>) {
    return static_cast<float>(value);  // with all of its bits: to round them is the kernels' part
  } else {
    double number = static_cast<double>(value);
    if (std::isfinite(value) && value != 0) {
      double const last_place = std::max(std::ldexp(format::unit, std::ilogb(value)), format::least);
      number = static_cast<double>(std::nearbyint(value / last_place) * last_place);
      if (std::abs(number) > format::greatest) {
        number = std::copysign(std::numeric_limits<double>::infinity(), number);
      }
    }
    if (saturates<T> && std::isinf(number)) {
      number = std::copysign(format::greatest, number);
    }
    return T(static_cast<float>(number));  // exact
  }
}

template <class T>
T infinity() {
  return T(std::numeric_limits<float>::infinity());
}
template <class T>
T not_a_number() {
  return T(std::numeric_limits<float>::quiet_NaN());
}

/// What fills the memory round matrices, and C where it must not be read: NaN, or an integer that spoils sums.
template <class T>
T poison() {
  if constexpr (std::is_same_v<T, int8>) {
    return 77;
  } else if constexpr (std::is_same_v<T, int32>) {
    return -77777;
  } else {
    return not_a_number<T>();
  }
}

}  // namespace test
