// SPDX-License-Identifier: BSL-1.0
//! @file
//! The forms of mma.sync as kernels see them, one struct each: types, shape, and which lane holds which element.
//!
//!     element             of A and B in memory, or of A where B's are element_b
//!     accum               of C
//!     word, accum_word    a register of A and B, and of C
//!     m, n, k             C is m x n, A is m x k, B is k x n
//!     words_a, _b, _c     registers of a lane
//!     elements_a, _b, _c  elements of a lane: its registers in order, of each the lowest bits first
//!     position_a, _b, _c  where element e of a lane is in its matrix
//!
//! A new one is a struct and a case of mma_atom here, and a branch in mma.cuh for its text.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/input_types.hpp>

namespace gemm::arch {

/// An element's place in a matrix.
struct mma_position {
  int row, column;
};

/// The forms that take 32 bytes of k: m16n8k16 of 2 bytes, m16n8k8 of 4, m16n8k32 of 1.
///
/// PTX ISA, sections "Matrix Fragments for mma.m16n8k16 with floating point type", "for mma.m16n8k8", "for
/// mma.m16n8k32". Of lane l, with g = l / 4 and t = l % 4:
///
///     register i of A    row g + 8 (i % 2), the 4 bytes of k from byte 4 t + 16 (i / 2) on
///     register i of B    column g, the 4 bytes of k from byte 4 t + 16 i on
///     element e of C     row g + 8 (e / 2), column 2 t + e % 2
template <class Element, class Accum>
struct mma_of_32_bytes {
  using element = Element;
  using element_b = Element;
  using accum = Accum;
  using word = std::uint32_t;
  using accum_word = std::conditional_t<sizeof(Accum) == 4, Accum, std::uint32_t>;
  static constexpr int m = 16, n = 8, k = 32 / static_cast<int>(sizeof(Element));
  static constexpr int in_word = 4 / static_cast<int>(sizeof(Element));
  static constexpr int words_a = 4, words_b = 2, words_c = 4 * static_cast<int>(sizeof(Accum)) / 4;
  static constexpr int elements_a = words_a * in_word, elements_b = words_b * in_word, elements_c = 4;

  __host__ __device__ static constexpr mma_position position_a(int lane, int e) {
    return {lane / 4 + e / in_word % 2 * 8, (lane % 4 + e / in_word / 2 * 4) * in_word + e % in_word};
  }
  __host__ __device__ static constexpr mma_position position_b(int lane, int e) {
    return {(lane % 4 + e / in_word * 4) * in_word + e % in_word, lane / 4};
  }
  __host__ __device__ static constexpr mma_position position_c(int lane, int e) {
    return {lane / 4 + e / 2 * 8, lane % 4 * 2 + e % 2};
  }
};

/// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 | PTX ISA 7.0, sm_80.
struct mma_f16 : mma_of_32_bytes<__half, float> {};

/// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 | PTX ISA 7.0, sm_80.
struct mma_bf16 : mma_of_32_bytes<__nv_bfloat16, float> {};

/// mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 | PTX ISA 7.0, sm_80 | C in pairs.
struct mma_f16_f16 : mma_of_32_bytes<__half, __half> {};

/// mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 | PTX ISA 7.0, sm_80 | the last 13 bits are ignored: floats are
/// rounded first, by round_to_tf32().
struct mma_tf32 : mma_of_32_bytes<tf32, float> {};

/// mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 | PTX ISA 7.0, sm_80 | C wraps modulo 2^32.
struct mma_s8 : mma_of_32_bytes<std::int8_t, std::int32_t> {};

/// mma.sync.aligned.m16n8k32.row.col.f32.A.B.f32 | PTX ISA 8.4, sm_89.
template <class A, class B>
struct mma_fp8 : mma_of_32_bytes<A, float> {
  using element_b = B;
};

/// The forms of doubles with 16 rows, m16n8k4, k8 and k16 | PTX ISA 7.8, sm_90, sections "Matrix Fragments for
/// mma.m16n8k4", "for mma.m16n8k8", "for mma.m16n8k16 with floating point type".
///
///     element i of A    row g + 8 (i % 2), k t + 4 (i / 2)
///     element i of B    k t + 4 i, column g
///     element e of C    row g + 8 (e / 2), column 2 t + e % 2
template <int K>
struct mma_of_doubles {
  using element = double;
  using element_b = double;
  using accum = double;
  using word = double;
  using accum_word = double;
  static constexpr int m = 16, n = 8, k = K;
  static constexpr int words_a = K / 2, words_b = K / 4, words_c = 4;
  static constexpr int elements_a = words_a, elements_b = words_b, elements_c = words_c;

  __host__ __device__ static constexpr mma_position position_a(int lane, int e) {
    return {lane / 4 + e % 2 * 8, lane % 4 + e / 2 * 4};
  }
  __host__ __device__ static constexpr mma_position position_b(int lane, int e) { return {lane % 4 + e * 4, lane / 4}; }
  __host__ __device__ static constexpr mma_position position_c(int lane, int e) {
    return {lane / 4 + e / 2 * 8, lane % 4 * 2 + e % 2};
  }
};

/// mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 | PTX ISA 7.8, sm_90.
struct mma_f64_k4 : mma_of_doubles<4> {};

/// mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 | PTX ISA 7.8, sm_90 | before that four of mma_f64_m8.
struct mma_f64_k8 : mma_of_doubles<8> {};

/// mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 | PTX ISA 7.8, sm_90.
struct mma_f64_k16 : mma_of_doubles<16> {};

/// mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 | PTX ISA 7.0, sm_80, section "Matrix Fragments for mma.m8n8k4 with
/// .f64 floating point type" | A: row g, k t; B: k t, column g; element e of C: row g, column 2 t + e.
struct mma_f64_m8 {
  using element = double;
  using element_b = double;
  using accum = double;
  using word = double;
  using accum_word = double;
  static constexpr int m = 8, n = 8, k = 4;
  static constexpr int words_a = 1, words_b = 1, words_c = 2;
  static constexpr int elements_a = words_a, elements_b = words_b, elements_c = words_c;

  __host__ __device__ static constexpr mma_position position_a(int lane, int) { return {lane / 4, lane % 4}; }
  __host__ __device__ static constexpr mma_position position_b(int lane, int) { return {lane % 4, lane / 4}; }
  __host__ __device__ static constexpr mma_position position_c(int lane, int e) { return {lane / 4, lane % 4 * 2 + e}; }
};

template <class A, class B>
struct mma_atom_of {
  using type = void;
};
template <>
struct mma_atom_of<__half, __half> {
  using type = mma_f16;
};
template <>
struct mma_atom_of<__nv_bfloat16, __nv_bfloat16> {
  using type = mma_bf16;
};
template <>
struct mma_atom_of<tf32, tf32> {
  using type = mma_tf32;
};
template <>
struct mma_atom_of<std::int8_t, std::int8_t> {
  using type = mma_s8;
};
template <>
struct mma_atom_of<double, double> {
  using type = mma_f64_k8;
};
template <class A, class B>
requires(detail::is_fp8<A>&& detail::is_fp8<B>) struct mma_atom_of<A, B> {
  using type = mma_fp8<A, B>;
};

/// The instruction that sums products of A's and B's elements in their accumulator; void where there is none.
template <class A, class B = A>
using mma_atom = typename mma_atom_of<A, B>::type;

template <class T>
concept mma_element = !std::is_void_v<mma_atom<T>>;

}  // namespace gemm::arch
