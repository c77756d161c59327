// SPDX-License-Identifier: BSL-1.0
//! @file
//! What policies of tensor cores multiply.
#pragma once

#include <cstdint>
#include <type_traits>

#include <gemm/arch/wgmma_atom.hpp>
#include <gemm/element.hpp>
#include <gemm/input_types.hpp>
#include <gemm/policy.hpp>

namespace gemm {

/// The input of tensor-core policies for e4m3 and e5m2. Tensor cores accumulate them with 13 bits of fraction, so the
/// default is promote<128>.
struct fp8 {};
/// The same without that: tensor cores accumulate all of k.
struct fp8_fast_accumulation {};

/// The input of tensor-core policies by default: __half or __nv_bfloat16.
struct half_or_bf16 {};

/// Promotion, a parameter of sm90_wgmma: tensor cores accumulate K of k at a time, which float registers then add. 0:
/// tensor cores accumulate all of k.
///
/// Parts: a warpgroup multiplies its columns in so many parts, one after the other, by wgmma of a smaller n. They share
/// registers, so that a tile may be larger. For fp8 promoted every block_k.
template <int K, int Parts = 1>
struct promote {
  static constexpr int k = K;          ///< a multiple of block_k
  static constexpr int parts = Parts;  ///< each of a multiple of 32 columns
};

namespace detail {

/// An input's promotion by default.
template <class Input>
using promotion_of_input = promote<std::is_same_v<Input, fp8> ? 128 : 0>;

/// Whether a policy multiplies tf32.
template <class Policy>
inline constexpr bool multiplies_tf32 = info_of<Policy>.tf32;

/// Bytes of an element that such a policy multiplies, and whether A and B may be of T.
template <class Input>
inline constexpr int bytes_of_input = 2;
template <>
inline constexpr int bytes_of_input<tf32> = 4;
template <>
inline constexpr int bytes_of_input<std::int8_t> = 1;
template <>
inline constexpr int bytes_of_input<fp8> = 1;
template <>
inline constexpr int bytes_of_input<fp8_fast_accumulation> = 1;
template <class Input, class T>
inline constexpr bool is_input = arch::wgmma_element<T> && sizeof(T) == bytes_of_input<Input>;
template <class T>
inline constexpr bool is_input<tf32, T> = std::is_same_v<T, tf32> || std::is_same_v<T, float>;
template <class T>
inline constexpr bool is_input<std::int8_t, T> = std::is_same_v<T, std::int8_t>;
template <class T>
inline constexpr bool is_input<fp8, T> = is_fp8<T>;
template <class T>
inline constexpr bool is_input<fp8_fast_accumulation, T> = is_fp8<T>;

}  // namespace detail

}  // namespace gemm
