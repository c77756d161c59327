// SPDX-License-Identifier: BSL-1.0
//! @file
//! What policies of tensor cores multiply.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm {

/// What policies of tensor cores multiply where they do not name tf32: elements of 16 bits.
struct half_or_bf16 {};

namespace detail {

/// Whether a policy multiplies tf32.
template <class Policy>
inline constexpr bool multiplies_tf32 = info_of<Policy>.tf32;

/// Bytes of an element that such a policy multiplies, and whether A and B may be of T.
template <class Input>
inline constexpr int bytes_of_input = 2;
template <>
inline constexpr int bytes_of_input<tf32> = 4;
template <class Input, class T>
inline constexpr bool is_input = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
template <class T>
inline constexpr bool is_input<tf32, T> = std::is_same_v<T, tf32> || std::is_same_v<T, float>;

}  // namespace detail

}  // namespace gemm
