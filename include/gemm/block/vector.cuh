// SPDX-License-Identifier: BSL-1.0
//! @file
//! Accesses of up to 16 bytes: the aligned vector that makes the compiler use one instruction for several elements.
#pragma once

#include <cuda_runtime.h>

namespace gemm::detail {

/// N elements that are loaded and stored by one instruction; N * sizeof(T) is 16 bytes at most.
template <class T, int N>
struct alignas(sizeof(T) * N) vector {
  static_assert(sizeof(T) * N <= 16, "gemm: the widest access of a thread is 16 bytes.");
  T element[N];
};

/// Elements in the widest access.
template <class T>
inline constexpr int widest = 16 / static_cast<int>(sizeof(T));

template <int N, class T>
__device__ vector<T, N> load_vector(T const* p) {
  return *reinterpret_cast<vector<T, N> const*>(p);
}

template <int N, class T>
__device__ void store_vector(T* p, vector<T, N> const& v) {
  *reinterpret_cast<vector<T, N>*>(p) = v;
}

/// Reads N elements of shared memory into registers, in runs of Size neighbours that start Stride elements apart, in
/// the widest accesses that divide Size. The address must be aligned to them.
template <int Size, int Stride, int N, class T>
__device__ void load_fragment(T (&fragment)[N], T const* shared) {
  constexpr int width = Size % widest<T> == 0 ? widest<T> : 1;
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
