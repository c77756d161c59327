// SPDX-License-Identifier: BSL-1.0
//! @file
//! Elements in memory: the bits that each takes, and the value of the index-th.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/element.hpp>

namespace gemm::detail {

/// Bits of an element in memory, of which a stride in elements counts as many: those of the type, or
/// element_traits::bits of one that has several elements.
template <class T>
inline constexpr int element_bits = 8 * static_cast<int>(sizeof(T));
template <class T>
requires requires { element_traits<T>::bits; }
inline constexpr int element_bits<T> = element_traits<T>::bits;

/// The value of the index-th element; of those that share a byte by element_traits::at().
template <class T>
__host__ __device__ widened<T> element_at(T const* data, std::int64_t index) {
  if constexpr (element_bits<T> < 8) {
    return element_traits<T>::at(data, index);
  } else {
    return widen(data[index]);
  }
}

}  // namespace gemm::detail
