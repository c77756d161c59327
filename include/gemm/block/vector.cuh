// SPDX-License-Identifier: BSL-1.0
//! @file
//! Accesses of up to 16 bytes: the aligned vector that makes the compiler use one instruction for several elements.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace gemm::detail {

/// N elements that are loaded and stored by one instruction; N * sizeof(T) is 16 bytes at most.
template <class T, int N>
struct alignas(sizeof(T) * N) vector {
  static_assert(sizeof(T) * N <= 16, "gemm: the widest access of a thread is 16 bytes.");
  T element[N];
} __attribute__((__may_alias__));

constexpr int greatest_common_divisor(int a, int b) { return b == 0 ? a : greatest_common_divisor(b, a % b); }

/// Elements in the widest access.
template <class T>
inline constexpr int widest = 16 / static_cast<int>(sizeof(T));

/// Elements in the widest access that divides a run of Size elements.
template <class T, int Size>
inline constexpr int widest_in = greatest_common_divisor(widest<T>, Size);

template <int N, class T>
__device__ vector<T, N> load_vector(T const* p) {
  return *reinterpret_cast<vector<T, N> const*>(p);
}

template <int N, class T>
__device__ void store_vector(T* p, vector<T, N> const& v) {
  *reinterpret_cast<vector<T, N>*>(p) = v;
}

/// What N neighbouring elements are kept as in registers: 32-bit words, where the compiler would give each narrower
/// element a register of its own.
template <class T, int N>
using packed = std::conditional_t<(sizeof(T) < 4 && sizeof(T) * N % 4 == 0), vector<std::uint32_t, sizeof(T) * N / 4>,
                                  vector<T, N>>;

template <int N, class T>
__device__ packed<T, N> load_packed(T const* p) {
  return *reinterpret_cast<packed<T, N> const*>(p);
}

template <class T, int N>
__device__ vector<T, N> unpacked(packed<T, N> const& words) {
  return __builtin_bit_cast(vector<T, N>, words);
}

/// Reads N elements of shared memory into registers, in runs of Size neighbours that start Stride elements apart, in
/// the widest accesses that divide Size. The address must be aligned to them.
template <int Size, int Stride, int N, class T>
__device__ void load_fragment(T (&fragment)[N], T const* shared) {
  constexpr int width = widest_in<T, Size>;
#pragma unroll
  for (int i = 0; i < N; i += width) {
    auto const v = load_vector<width>(shared + i / Size * Stride + i % Size);
#pragma unroll
    for (int j = 0; j < width; ++j) {
      fragment[i + j] = v.element[j];
    }
  }
}

}  // namespace gemm::detail
