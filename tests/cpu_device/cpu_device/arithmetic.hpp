// SPDX-License-Identifier: BSL-1.0
//! @file
//! Device functions of a single thread that plain C++ lacks: bit casts, mixed min and max, __ldg, __trap.
#pragma once

#include <math.h>  // fmaf, and fma for float and double, in the global namespace as in CUDA

#include <bit>
#include <cstdint>
#include <type_traits>

#include "device.hpp"

inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

namespace cpu_device {

/// The power of two of a number's exponent; 0 for 0.
inline double power_of(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7ff0000000000000U);
}

}  // namespace cpu_device

/// The smaller of two numbers, of a mixed pair in their common type; of a number and a NaN, the number.
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  std::common_type_t<A, B> const x = a;
  std::common_type_t<A, B> const y = b;
  return y < x || x != x ? y : x;
}

/// The larger of two numbers, of a mixed pair in their common type; of a number and a NaN, the number.
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  std::common_type_t<A, B> const x = a;
  std::common_type_t<A, B> const y = b;
  return x < y || x != x ? y : x;
}

template <class T>
T __ldg(T const* pointer) {
  return *pointer;
}

[[noreturn]] inline void __trap() {
  cpu_device::fail(
      "__trap. In a body of gemm/arch: the instruction has no counterpart in tests/cpu_device/gemm/arch, or "
      "tests/cpu_device comes behind include on the include path.");
}
