// SPDX-License-Identifier: BSL-1.0
//! @file
//! wgmma: the CPU device's bodies of include/gemm/arch/wgmma.cuh.
//!
//! Their hidden last parameter is the place of the call, for messages.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <gemm/arch/wgmma_atom.hpp>
#include <gemm/element.hpp>

#include "../../cpu_device/warpgroup.hpp"

namespace gemm::arch {

/// As documented there.
struct matrix_descriptor {
  std::uintptr_t begin;
  int outer_stride, k_stride;
  std::int64_t line_bytes;  // as wide as to leave no padding, which threads would disagree on
};

/// As documented there.
template <bool MnMajor, int LineBytes = 128>
__device__ inline matrix_descriptor describe_matrix(void const* shared, int outer_stride, int k_stride,
                                                    cpu_device::call_site where = cpu_device::call_site::current()) {
  static_assert(LineBytes == 128 || LineBytes == 64 || LineBytes == 32, "gemm: wgmma's swizzles are of these lines.");
  constexpr int piece = 8 * LineBytes;
  auto const begin = reinterpret_cast<std::uintptr_t>(shared);
  if (begin % piece != 0) {
    cpu_device::fail("describe_matrix (%s:%d): the matrix begins %d bytes beyond a multiple of %d", where.file,
                     where.line, static_cast<int>(begin % piece), piece);
  }
  if (outer_stride % 16 != 0 || (MnMajor && k_stride % 16 != 0)) {
    cpu_device::fail("describe_matrix (%s:%d): strides of %d and %d bytes, must be multiples of 16", where.file,
                     where.line, outer_stride, k_stride);
  }
  return {begin, outer_stride, k_stride, LineBytes};
}

/// As documented there.
__device__ inline matrix_descriptor advanced(matrix_descriptor matrix, int bytes) {
  matrix.begin += static_cast<std::uintptr_t>(static_cast<std::intptr_t>(bytes));
  return matrix;
}

/// As documented there. What it orders is not modelled.
__device__ inline void wgmma_fence(cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::meet_in_warpgroup("wgmma_fence", where);
}

/// As documented there.
__device__ inline void wgmma_commit_group(cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::commit_multiplications(where);
}

/// As documented there.
template <int Pending>
__device__ inline void wgmma_wait_group(cpu_device::call_site where = cpu_device::call_site::current()) {
  static_assert(Pending >= 0 && Pending <= 7, "gemm: wgmma.wait_group takes a count of 0 to 7 groups.");
  cpu_device::wait_multiplications(Pending, where);
}

namespace cpu {

struct wgmma_operands {
  matrix_descriptor a, b;
  std::int64_t accumulate;  // as wide as line_bytes, for the same reason
};

// What the optimised functions below call is inlined by force: compilers inline nothing of another level.

/// Where element (outer, k) of a matrix lies, whose elements have so many bytes.
template <bool MnMajor>
[[gnu::always_inline]] inline void const* element_address(matrix_descriptor const& matrix, int outer, int k, int size) {
  auto const bytes = static_cast<int>(matrix.line_bytes), in_line = bytes / size;
  std::ptrdiff_t const offset = MnMajor
                                    ? std::ptrdiff_t{outer / in_line} * matrix.outer_stride + outer % in_line * size +
                                          std::ptrdiff_t{k / 8} * matrix.k_stride + k % 8 * bytes
                                    : std::ptrdiff_t{outer / 8} * matrix.outer_stride + outer % 8 * bytes + k * size;
  std::uintptr_t const address = matrix.begin + static_cast<std::uintptr_t>(offset);
  auto const mask = static_cast<std::uintptr_t>(bytes / 16 - 1);
  return reinterpret_cast<void const*>(address ^ (address >> 7 & mask) << 4);
}

template <class T, bool MnMajor>
[[gnu::always_inline]] inline auto element_of(matrix_descriptor const& matrix, int outer, int k) {
  void const* const address = element_address<MnMajor>(matrix, outer, k, static_cast<int>(sizeof(T)));
  if constexpr (std::is_same_v<T, tf32>) {
    std::uint32_t word;
    std::memcpy(&word, address, sizeof(word));
    return __builtin_bit_cast(float, word & 0xffffe000);  // what the instruction reads of it
  } else {
    T value;
    std::memcpy(&value, address, sizeof(T));
    return detail::widen(value);
  }
}

/// The thread that has row i of an operand in registers, or of the sums, and with `column` that column.
[[gnu::always_inline]] inline int thread_of(int i, int column) { return i / 16 * 32 + i % 8 * 4 + column; }

/// The float that a sum becomes: rounded towards 0, where it does not overflow.
[[gnu::always_inline]] inline float cut_off(double sum) {
  auto const nearest = static_cast<float>(sum);
  bool const beyond = std::fabs(static_cast<double>(nearest)) > std::fabs(sum) && std::isfinite(nearest);
  return beyond ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) - 1) : nearest;
}

/// A thread's sum of row i and column j.
template <class Accum>
[[gnu::always_inline]] inline Accum& sum_at(cpu_device::multiplication_registers const* of_threads, int i, int j) {
  return static_cast<Accum*>(of_threads[thread_of(i, j % 8 / 2)].accumulators)[j / 8 * 4 + i % 16 / 8 * 2 + j % 2];
}

/// Of integers, modulo 2^32.
template <class Atom, int N>
[[gnu::optimize("O3")]] void multiply_integers(cpu_device::multiplication_operands const& operands,
                                               cpu_device::multiplication_registers const* of_threads) {
  using element = typename Atom::element;
  constexpr int m = Atom::m, k = Atom::k;
  wgmma_operands named;
  std::memcpy(&named, operands.bytes, sizeof(named));
  std::int32_t b[k][N];
  for (int j = 0; j < N; ++j) {
    for (int l = 0; l < k; ++l) {
      b[l][j] = element_of<element, false>(named.b, j, l);
    }
  }
  for (int i = 0; i < m; ++i) {
    std::uint32_t total[N] = {};
    for (int l = 0; l < k; ++l) {
      std::int32_t const a = element_of<element, false>(named.a, i, l);
      for (int j = 0; j < N; ++j) {
        total[j] += static_cast<std::uint32_t>(a * b[l][j]);
      }
    }
    for (int j = 0; j < N; ++j) {
      std::int32_t& sum = sum_at<std::int32_t>(of_threads, i, j);
      sum = static_cast<std::int32_t>(total[j] + (named.accumulate != 0 ? static_cast<std::uint32_t>(sum) : 0));
    }
  }
}

/// Optimised in every configuration: tests of tensor cores spend most of their time here.
template <class Atom, bool MnMajorA, bool MnMajorB, int N, bool RegistersA>
[[gnu::optimize("O3")]] void multiply(cpu_device::multiplication_operands const& operands,
                                      cpu_device::multiplication_registers const* of_threads) {
  using element = typename Atom::element;
  constexpr int m = Atom::m, k = Atom::k;
  wgmma_operands named;
  std::memcpy(&named, operands.bytes, sizeof(named));
  auto const element_a = [&](int i, int l) {
    if constexpr (RegistersA) {
      auto const* const words = static_cast<std::uint32_t const*>(of_threads[thread_of(i, l % 4)].operand);
      return __builtin_bit_cast(float, words[l / 4 * 2 + i % 16 / 8] & 0xffffe000);
    } else {
      return element_of<element, MnMajorA>(named.a, i, l);
    }
  };
  // Of one-byte elements twice as many, exact as floats: stacks of threads are small.
  using number = std::conditional_t<sizeof(element) == 1, float, double>;
  number b[k][N], power_b[k][N];
  for (int j = 0; j < N; ++j) {
    for (int l = 0; l < k; ++l) {
      b[l][j] = element_of<typename Atom::element_b, MnMajorB>(named.b, j, l);
      power_b[l][j] = static_cast<number>(cpu_device::power_of(b[l][j]));
    }
  }
  for (int i = 0; i < m; ++i) {
    number product[k][N];
    double power[N], before[N], whole[N];
    auto const own = [&](int j) -> float& { return sum_at<float>(of_threads, i, j); };
    for (int j = 0; j < N; ++j) {
      before[j] = whole[j] = named.accumulate != 0 ? own(j) : 0.0f;
      power[j] = cpu_device::power_of(before[j]);
    }
    for (int l = 0; l < k; ++l) {
      double const a = element_a(i, l), power_a = cpu_device::power_of(a);
      for (int j = 0; j < N; ++j) {
        double const both = power_a * power_b[l][j];
        product[l][j] = static_cast<number>(a * b[l][j]);
        whole[j] += product[l][j];
        power[j] = power[j] > both ? power[j] : both;
      }
    }
    // Each is truncated two bits below a float's last digit at the largest exponent, to which tensor cores align them;
    // of one-byte elements at the 13th. Then so is their sum, at its own last digit. A product's exponent is the sum
    // of its factors' exponents.
    double units[N], total[N];
    constexpr double last_digit = 1 << (sizeof(element) == 1 ? 13 : 23 + 2);
    for (int j = 0; j < N; ++j) {
      bool const counts = power[j] > 0 && whole[j] - whole[j] == 0;  // neither infinite nor NaN
      units[j] = counts ? last_digit / power[j] : 0;
      total[j] = counts ? static_cast<std::int32_t>(before[j] * units[j]) : 0;  // towards 0
    }
    for (int l = 0; l < k; ++l) {
      for (int j = 0; j < N; ++j) {
        double const scaled = product[l][j] * units[j];
        total[j] += static_cast<std::int32_t>(scaled == scaled ? scaled : 0);
      }
    }
    for (int j = 0; j < N; ++j) {
      own(j) = units[j] > 0 ? cut_off(total[j] / units[j]) : static_cast<float>(whole[j]);
    }
  }
}

}  // namespace cpu

/// As documented there.
template <class Atom, bool MnMajorA, bool MnMajorB, int Sums>
__device__ inline void wgmma(typename Atom::accum (&sum)[Sums], matrix_descriptor a, matrix_descriptor b,
                             bool accumulate, cpu_device::call_site where = cpu_device::call_site::current()) {
  static_assert(Atom::mn_major || (!MnMajorA && !MnMajorB), "gemm: this wgmma is of k-major operands alone.");
  static_assert(Sums == 8 || Sums == 16 || Sums == 32 || Sums == 40 || Sums == 48 || Sums == 52 || Sums == 56 ||
                Sums == 64 || Sums == 72 || Sums == 80 || Sums == 84 || Sums == 88 || Sums == 96 || Sums == 112 ||
                Sums == 120 || Sums == 128);
  cpu::wgmma_operands const named{a, b, accumulate};
  cpu_device::multiplication_operands operands{};
  static_assert(sizeof(named) <= sizeof(operands.bytes));
  std::memcpy(operands.bytes, &named, sizeof(named));
  if constexpr (std::is_integral_v<typename Atom::accum>) {
    static_assert(Sums != 52 && Sums != 84, "gemm: this wgmma has no such n.");
    cpu_device::issue_multiplication(&cpu::multiply_integers<Atom, 2 * Sums>, operands, {sum, nullptr}, where);
  } else {
    cpu_device::issue_multiplication(&cpu::multiply<Atom, MnMajorA, MnMajorB, 2 * Sums, false>, operands,
                                     {sum, nullptr}, where);
  }
}

/// As documented there.
struct wgmma_fragment {
  std::uint32_t word[4];
};

/// As documented there.
template <int Sums>
__device__ inline void wgmma(wgmma_tf32::accum (&sum)[Sums], wgmma_fragment const& a, matrix_descriptor b,
                             bool accumulate, cpu_device::call_site where = cpu_device::call_site::current()) {
  static_assert(Sums == 32 || Sums == 64);
  cpu::wgmma_operands const named{{}, b, accumulate};
  cpu_device::multiplication_operands operands{};
  std::memcpy(operands.bytes, &named, sizeof(named));
  cpu_device::issue_multiplication(&cpu::multiply<wgmma_tf32, false, false, 2 * Sums, true>, operands, {sum, a.word},
                                   where);
}

}  // namespace gemm::arch
