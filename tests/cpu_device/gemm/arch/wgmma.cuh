// SPDX-License-Identifier: BSL-1.0
//! @file
//! wgmma: the CPU device's bodies of include/gemm/arch/wgmma.cuh.
//!
//! Their hidden last parameter is the place of the call, for messages.
#pragma once

#include <cuda_runtime.h>

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
  int columns, accumulate;
};

inline constexpr int most_columns = 256;

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

/// A thread's sum of row i and column j.
template <class Accum>
[[gnu::always_inline]] inline Accum& sum_at(cpu_device::multiplication_registers const* of_threads, int i, int j) {
  return static_cast<Accum*>(of_threads[thread_of(i, j % 8 / 2)].accumulators)[j / 8 * 4 + i % 16 / 8 * 2 + j % 2];
}

/// Of integers, modulo 2^32.
template <class Atom>
[[gnu::optimize("O2")]] void multiply_integers(cpu_device::multiplication_operands const& operands,
                                               cpu_device::multiplication_registers const* of_threads) {
  using element = typename Atom::element;
  constexpr int m = Atom::m, k = Atom::k;
  wgmma_operands named;
  std::memcpy(&named, operands.bytes, sizeof(named));
  int const n = named.columns;
  std::int32_t b[k * most_columns];
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < k; ++l) {
      b[l * n + j] = element_of<element, false>(named.b, j, l);
    }
  }
  for (int i = 0; i < m; ++i) {
    std::int32_t a[k];
    std::uint32_t accumulators[most_columns];
    for (int l = 0; l < k; ++l) {
      a[l] = element_of<element, false>(named.a, i, l);
    }
    for (int j = 0; j < n; ++j) {
      accumulators[j] = named.accumulate != 0 ? static_cast<std::uint32_t>(sum_at<std::int32_t>(of_threads, i, j)) : 0;
    }
    cpu_device::add_products(a, k, b, n, accumulators);
    for (int j = 0; j < n; ++j) {
      sum_at<std::int32_t>(of_threads, i, j) = static_cast<std::int32_t>(accumulators[j]);
    }
  }
}

/// Reads the operands and the sums, so that sanitizers watch it, and has the runtime multiply.
template <class Atom, bool MnMajorA, bool MnMajorB, bool RegistersA>
[[gnu::optimize("O2")]] void multiply(cpu_device::multiplication_operands const& operands,
                                      cpu_device::multiplication_registers const* of_threads) {
  using element = typename Atom::element;
  constexpr int m = Atom::m, k = Atom::k;
  wgmma_operands named;
  std::memcpy(&named, operands.bytes, sizeof(named));
  int const n = named.columns;
  float b[k * most_columns], powers[k * most_columns];
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < k; ++l) {
      b[l * n + j] = element_of<typename Atom::element_b, MnMajorB>(named.b, j, l);
    }
  }
  cpu_device::powers_of(b, k * n, powers);
  for (int i = 0; i < m; ++i) {
    float a[k], accumulators[most_columns];
    for (int l = 0; l < k; ++l) {
      if constexpr (RegistersA) {
        auto const* const words = static_cast<std::uint32_t const*>(of_threads[thread_of(i, l % 4)].operand);
        a[l] = __builtin_bit_cast(float, words[l / 4 * 2 + i % 16 / 8] & 0xffffe000);
      } else {
        a[l] = element_of<element, MnMajorA>(named.a, i, l);
      }
    }
    for (int j = 0; j < n; ++j) {
      accumulators[j] = named.accumulate != 0 ? sum_at<float>(of_threads, i, j) : 0.0f;
    }
    // Each is truncated two bits below a float's last digit; of one-byte elements at the 13th.
    cpu_device::add_products(a, k, b, powers, n, sizeof(element) == 1 ? 13 : 23 + 2, accumulators);
    for (int j = 0; j < n; ++j) {
      sum_at<float>(of_threads, i, j) = accumulators[j];
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
  cpu::wgmma_operands const named{a, b, 2 * Sums, accumulate};
  cpu_device::multiplication_operands operands{};
  static_assert(sizeof(named) <= sizeof(operands.bytes));
  std::memcpy(operands.bytes, &named, sizeof(named));
  if constexpr (std::is_integral_v<typename Atom::accum>) {
    static_assert(Sums != 52 && Sums != 84, "gemm: this wgmma has no such n.");
    cpu_device::issue_multiplication(&cpu::multiply_integers<Atom>, operands, {sum, nullptr}, where);
  } else {
    cpu_device::issue_multiplication(&cpu::multiply<Atom, MnMajorA, MnMajorB, false>, operands, {sum, nullptr}, where);
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
  cpu::wgmma_operands const named{{}, b, 2 * Sums, accumulate};
  cpu_device::multiplication_operands operands{};
  std::memcpy(operands.bytes, &named, sizeof(named));
  cpu_device::issue_multiplication(&cpu::multiply<wgmma_tf32, false, false, true>, operands, {sum, a.word}, where);
}

}  // namespace gemm::arch
