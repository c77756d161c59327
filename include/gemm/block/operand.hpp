// SPDX-License-Identifier: BSL-1.0
//! @file
//! An operand of a product: its elements, how they are stored, where they are, and its scales.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/element_memory.hpp>
#include <gemm/scales.hpp>

namespace gemm {

/// Which index of an operand runs through neighbouring elements in memory: k, or the one it shares with C (m or n).
enum class major : unsigned char { k, mn };

/// The four operand storages of a row-major C: n is row-major as given, t is stored transposed (BLAS's letters).
struct nn {
  static constexpr major a = major::k, b = major::mn;
};
struct nt {
  static constexpr major a = major::k, b = major::k;
};
struct tn {
  static constexpr major a = major::mn, b = major::mn;
};
struct tt {
  static constexpr major a = major::mn, b = major::k;
};

/// A matrix in memory, and that of the next product of the batch: 0 where all products have the same. Not for users;
/// it is not in detail because the problem is not.
template <class T>
struct strided {
  T* data;
  std::int64_t ld, batch_stride;  // in elements
};

/// A or B of a problem. Scales: a kind of gemm/scales.hpp, no_scales where there are none, which take no memory. Not
/// for users; likewise.
template <class T, major Major, class Scales = no_scales>
struct operand : strided<T const> {
  using element = T;
  using scales_type = Scales;
  static constexpr major layout = Major;
  static constexpr int bits = detail::element_bits<T>;

  Scales scales;

  __host__ __device__ Scales const& factors() const { return scales; }
};
template <class T, major Major>
struct operand<T, Major, no_scales> : strided<T const> {
  using element = T;
  using scales_type = no_scales;
  static constexpr major layout = Major;
  static constexpr int bits = detail::element_bits<T>;

  __host__ __device__ static no_scales factors() { return {}; }
};

namespace detail {

/// The storage of operands with these majors.
template <major A, major B>
using storage_of_majors = std::conditional_t<A == major::k, std::conditional_t<B == major::k, nt, nn>,
                                             std::conditional_t<B == major::k, tt, tn>>;

}  // namespace detail

}  // namespace gemm
