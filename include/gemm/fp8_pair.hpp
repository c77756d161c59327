// SPDX-License-Identifier: BSL-1.0
//! @file
//! fp8 of two types, A's and B's, as one element type: kernels of tensor cores do not look into elements.
#pragma once

#include <cuda.h>
#include <cuda_fp8.h>

#include <string_view>
#include <type_traits>

#include <gemm/element.hpp>

namespace gemm {

/// An element of A, which is of type A, or of B. Not for users; it is not in detail for the kernels' symbols.
template <class A, class B>
struct fp8_pair {
  unsigned char bits;
};

template <class A, class B>
struct element_traits<fp8_pair<A, B>> : detail::float_accum {
  static constexpr std::string_view name = std::is_same_v<A, __nv_fp8_e4m3> ? "e4m3_e5m2" : "e5m2_e4m3";
  static constexpr CUtensorMapDataType tma_type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
};

namespace detail {

template <class T>
inline constexpr bool is_fp8 = std::is_same_v<T, __nv_fp8_e4m3> || std::is_same_v<T, __nv_fp8_e5m2>;

/// Whether elements are of fp8, or of two types of it.
template <class T>
inline constexpr bool takes_fp8 = is_fp8<T>;
template <class A, class B>
inline constexpr bool takes_fp8<fp8_pair<A, B>> = true;

/// The types of A's and B's elements, which a problem may have as a pair.
template <class In>
struct sides_of {
  using a = In;
  using b = In;
};
template <class A, class B>
struct sides_of<fp8_pair<A, B>> {
  using a = A;
  using b = B;
};
template <class In>
using element_of_a = typename sides_of<In>::a;
template <class In>
using element_of_b = typename sides_of<In>::b;

/// What kernels take A and B of two types as; void where they do not.
template <class A, class B>
using multiplied_as =
    std::conditional_t<std::is_same_v<A, B>, A, std::conditional_t<is_fp8<A> && is_fp8<B>, fp8_pair<A, B>, void>>;

}  // namespace detail

}  // namespace gemm
