// SPDX-License-Identifier: BSL-1.0
//! @file
//! The lesser and the greater of two values: <algorithm> costs every translation unit a third of a second.
#pragma once

#include <gemm/cxx20.hpp>

namespace gemm::detail {

template <class T>
constexpr T lesser(T x, T y) {
  return y < x ? y : x;
}

template <class T>
constexpr T greater(T x, T y) {
  return x < y ? y : x;
}

}  // namespace gemm::detail
