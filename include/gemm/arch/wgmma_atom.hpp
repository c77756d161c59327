// SPDX-License-Identifier: BSL-1.0
//! @file
//! The matrix instructions of sm_90a as kernels see them, one struct each: types, shape and legal majors.
//!
//!     element     of A and B in shared memory, or of A where B's are element_b
//!     accum       of the sums, which a kernel's accumulators, stores and slices are of
//!     m, k        of one instruction: A is m x k and B k x n, n being twice the sums of a thread
//!     mn_major    whether A and B may be mn-major, too; else both are k-major
//!     register_a  whether A may be in registers (wgmma_fragment)
//!
//! A new one is a struct and a case of wgmma_atom here, and a branch in wgmma.cuh for its text.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/input_types.hpp>

namespace gemm::arch {

/// wgmma.mma_async.m64nNk16.f32.f16.f16
struct wgmma_f16 {
  using element = __half;
  using element_b = __half;
  using accum = float;
  static constexpr int m = 64, k = 16;
  static constexpr bool mn_major = true, register_a = false;
};

/// wgmma.mma_async.m64nNk16.f32.bf16.bf16
struct wgmma_bf16 {
  using element = __nv_bfloat16;
  using element_b = __nv_bfloat16;
  using accum = float;
  static constexpr int m = 64, k = 16;
  static constexpr bool mn_major = true, register_a = false;
};

/// wgmma.mma_async.m64nNk8.f32.tf32.tf32
struct wgmma_tf32 {
  using element = tf32;
  using element_b = tf32;
  using accum = float;
  static constexpr int m = 64, k = 8;
  static constexpr bool mn_major = false, register_a = true;
};

/// wgmma.mma_async.m64nNk32.s32.s8.s8 | sums wrap modulo 2^32.
struct wgmma_s8 {
  using element = std::int8_t;
  using element_b = std::int8_t;
  using accum = std::int32_t;
  static constexpr int m = 64, k = 32;
  static constexpr bool mn_major = false, register_a = false;
};

/// wgmma.mma_async.m64nNk32.f32.A.B | sums keep 13 bits of fraction below the largest exponent that is added.
template <class A, class B>
struct wgmma_fp8 {
  using element = A;
  using element_b = B;
  using accum = float;
  static constexpr int m = 64, k = 32;
  static constexpr bool mn_major = false, register_a = false;
};

template <class A, class B>
struct wgmma_atom_of {
  using type = void;
};
template <>
struct wgmma_atom_of<__half, __half> {
  using type = wgmma_f16;
};
template <>
struct wgmma_atom_of<__nv_bfloat16, __nv_bfloat16> {
  using type = wgmma_bf16;
};
template <>
struct wgmma_atom_of<tf32, tf32> {
  using type = wgmma_tf32;
};
template <>
struct wgmma_atom_of<std::int8_t, std::int8_t> {
  using type = wgmma_s8;
};
template <class A, class B>
requires(detail::is_fp8<A>&& detail::is_fp8<B>) struct wgmma_atom_of<A, B> {
  using type = wgmma_fp8<A, B>;
};

/// The instruction for elements of A and of B; void where there is none. The transposed product's has B first.
template <class A, class B = A>
using wgmma_atom = typename wgmma_atom_of<A, B>::type;

template <class A, class B = A>
concept wgmma_element = !std::is_void_v<wgmma_atom<A, B>>;

/// Whether wgmma multiplies elements of T that are k-major alone.
template <class T>
inline constexpr bool wgmma_needs_k_major = false;
template <wgmma_element T>
inline constexpr bool wgmma_needs_k_major<T> = !wgmma_atom<T>::mn_major;

}  // namespace gemm::arch
