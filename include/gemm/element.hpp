// SPDX-License-Identifier: BSL-1.0
//! @file
//! Element types: the accumulator of each, and the rounding to an element of C. `element_traits` holds all facts of
//! one.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/tf32.hpp>

namespace gemm {

namespace detail {

template <class... T>
struct type_list {};

template <class List, class T>
inline constexpr bool lists = false;
template <class... Listed, class T>
inline constexpr bool lists<type_list<Listed...>, T> = (std::is_same_v<Listed, T> || ...);

/// Traits of numbers that are computed with as they are.
template <class T>
struct arithmetic_traits {
  using arithmetic = T;
  using reference = double;
  static constexpr bool floating = std::is_floating_point_v<T>;
  static constexpr double unit = floating ? static_cast<double>(std::numeric_limits<T>::epsilon()) : 0;
  static constexpr double least = floating ? static_cast<double>(std::numeric_limits<T>::denorm_min()) : 0;
  static constexpr double greatest = static_cast<double>((std::numeric_limits<T>::max)());

  __host__ __device__ static T widen(T value) { return value; }
  template <class From>
  __host__ __device__ static T rounded(From value) {
    if constexpr (std::is_integral_v<T>) {
      return rounded_integer<T>(value);
    } else {
      return static_cast<T>(value);
    }
  }
};

/// Traits of elements whose accumulator is float.
struct float_accum {
  using accum = float;
  using outputs = type_list<float, __half, __nv_bfloat16, __nv_fp8_e4m3, __nv_fp8_e5m2>;
  using arithmetic = float;
  using reference = double;
};

}  // namespace detail

/// All facts of an element type: a new one is a specialisation. Not for users.
///
///     name        in tuning files, call logs and tests
///     accum       the accumulator's type; void where A and B cannot have such elements
///     outputs     the element types that C may have
///     arithmetic  the type that widen() returns, exactly
///     rounded()   the element that a number becomes: the nearest, in ties the even one
///     tma_type    its type in tensor maps
///     reference   the accumulator of the reference: 11 bits more than double for double, else double
///     unit        spacing of the numbers from 1 to 2; 0 for integers
///     least       smallest positive number, denormals included; 0 for integers
///     greatest    largest finite number
///     cut_off     bound on what tensor cores truncate of a sum, relative to that of magnitudes; 0 where not stated
template <class T>
struct element_traits {  // of what is no element
  using accum = void;
  using arithmetic = T;
  using outputs = detail::type_list<>;

  __host__ __device__ static T widen(T value) { return value; }
  template <class From>
  __host__ __device__ static T rounded(From value) {
    return static_cast<T>(value);
  }
};

template <>
struct element_traits<float> : detail::arithmetic_traits<float> {
  static constexpr std::string_view name = "float";
  using accum = float;
  using outputs = detail::float_accum::outputs;
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
};

template <>
struct element_traits<double> : detail::arithmetic_traits<double> {
  static constexpr std::string_view name = "double";
  using accum = double;
  using outputs = detail::type_list<double>;
  using reference = long double;
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
};

template <>
struct element_traits<tf32> : detail::float_accum {
  static constexpr std::string_view name = "tf32";
  static constexpr double unit = 0x1p-10, least = 0x1p-136, greatest = 0x1.ffcp127;
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;  // rounds what it copies

  __host__ __device__ static float widen(tf32 value) { return value; }
  template <class From>
  __host__ __device__ static tf32 rounded(From value) {
    return static_cast<tf32>(value);
  }
};

/// Overflow becomes infinite, NaN stays NaN, denormals are kept; so for __nv_bfloat16. An int32_t is first rounded to
/// float.
template <>
struct element_traits<__half> : detail::float_accum {
  static constexpr std::string_view name = "half";
  static constexpr double unit = 0x1p-10, least = 0x1p-24, greatest = 65504;
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;

  __host__ __device__ static float widen(__half value) { return __half2float(value); }
  template <class From>
  __host__ __device__ static __half rounded(From value) {
    return std::is_same_v<From, double> ? __double2half(static_cast<double>(value))
                                        : __float2half_rn(static_cast<float>(value));
  }
};

template <>
struct element_traits<__nv_bfloat16> : detail::float_accum {
  static constexpr std::string_view name = "bfloat16";
  static constexpr double unit = 0x1p-7, least = 0x1p-133, greatest = 0x1.fep127;
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;

  __host__ __device__ static float widen(__nv_bfloat16 value) { return __bfloat162float(value); }
  template <class From>
  __host__ __device__ static __nv_bfloat16 rounded(From value) {
    return std::is_same_v<From, double> ? __double2bfloat16(static_cast<double>(value))
                                        : __float2bfloat16_rn(static_cast<float>(value));
  }
};

namespace detail {

/// Tensor cores keep 13 bits of fraction below the largest of 32 products and the sum before, and are given 128 of k at
/// a time (see sm90_wgmma): 4 times 33 terms. By CUDA's functions, not conversions, which programs may leave out.
template <class T, __nv_fp8_interpretation_t Format>
struct fp8_traits : float_accum {
  static constexpr double cut_off = 4 * 33 * 0x1p-13;
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;

  __host__ __device__ static float widen(T value) { return __half2float(__nv_cvt_fp8_to_halfraw(value.__x, Format)); }
  template <class From>
  __host__ __device__ static T rounded(From value) {
    T result;
    result.__x = std::is_same_v<From, double>
                     ? __nv_cvt_double_to_fp8(static_cast<double>(value), __NV_SATFINITE, Format)
                     : __nv_cvt_float_to_fp8(static_cast<float>(value), __NV_SATFINITE, Format);
    return result;
  }
};

}  // namespace detail

/// What exceeds the largest number becomes it, infinities too; NaN stays NaN, denormals are kept (__NV_SATFINITE).
template <>
struct element_traits<__nv_fp8_e4m3> : detail::fp8_traits<__nv_fp8_e4m3, __NV_E4M3> {
  static constexpr std::string_view name = "e4m3";
  static constexpr double unit = 0x1p-3, least = 0x1p-9, greatest = 448;
};
template <>
struct element_traits<__nv_fp8_e5m2> : detail::fp8_traits<__nv_fp8_e5m2, __NV_E5M2> {
  static constexpr std::string_view name = "e5m2";
  static constexpr double unit = 0x1p-2, least = 0x1p-16, greatest = 57344;
};

template <>
struct element_traits<std::int8_t> : detail::arithmetic_traits<std::int8_t> {
  static constexpr std::string_view name = "int8";
  using accum = std::int32_t;
  using outputs = detail::type_list<std::int32_t, std::int8_t, float, __half, __nv_bfloat16>;
  using arithmetic = std::int32_t;
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;  // a copy does not know signs

  __host__ __device__ static std::int32_t widen(std::int8_t value) { return value; }
};

template <>
struct element_traits<std::int32_t> : detail::arithmetic_traits<std::int32_t> {
  static constexpr std::string_view name = "int32";
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_INT32;
  using accum = void;
  using outputs = detail::type_list<>;
};

namespace detail {

template <class T>
using accumulator = typename element_traits<T>::accum;

template <class T>
concept input_element = !std::is_void_v<accumulator<T>>;

/// Whether C may have elements of T where A and B have In.
template <class In, class T>
inline constexpr bool legal_output = lists<typename element_traits<In>::outputs, T>;

/// element_traits::cut_off, 0 for most.
template <class T>
inline constexpr double cut_off_of = 0;
template <class T>
requires requires { element_traits<T>::cut_off; }
inline constexpr double cut_off_of<T> = element_traits<T>::cut_off;

template <class T>
using widened = typename element_traits<T>::arithmetic;

/// The value in the type it is computed with; exact.
template <class T>
__host__ __device__ widened<T> widen(T value) {
  return element_traits<T>::widen(value);
}

/// The type of alpha A B + beta C, which epilogues take: the accumulator's, but float where that is an integer and C is
/// floating-point.
template <class In, class Out>
using epilogue_value = std::conditional_t<std::is_integral_v<accumulator<In>>, widened<Out>, accumulator<In>>;

/// The element of C that a value becomes.
template <class To, class From>
__host__ __device__ To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else {
    return element_traits<To>::rounded(value);
  }
}

}  // namespace detail

}  // namespace gemm
