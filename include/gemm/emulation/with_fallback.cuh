// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split terms with their bound checked: products whose error might exceed float arithmetic's are computed in float.
//!
//!     passes      split A and B, and note of each row what tells how its products err (see error_facts.cuh)
//!     fp16x3      reads what they noted of all rows while it sums its first tiles of C; stores those and goes on, or
//!                 says that the product is refused
//!     pipelined   computes a product that was refused; else its blocks return at once
//!
//! All on the device: the host launches the same whatever A and B hold.
#pragma once

#include <gemm/emulation/equilibrated.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// Computes refused products: any storage, leading dimension and alignment, without a workspace. Accumulators are
/// promoted every 64 k, compensated, so that errors are not above those of cublasSgemm, which splits k.
struct pipelined_where_refused : pipelined<block<128, 128, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
  static constexpr int accumulators = 2 * pipelined::accumulators;
  static constexpr kernel_info info = pipelined::info.with({.tiles_per_promotion = 4});
};

/// The same where C is so small that k is cut into slices, which the blocks of a cluster add.
struct pipelined_where_small_refused : pipelined<block<64, 64, 16>, warp<32, 32>, thread<4, 4>, stages<3>> {
  static constexpr int accumulators = 2 * pipelined::accumulators;
  static constexpr kernel_info info = pipelined::info.with({.tiles_per_promotion = 4});
};

}  // namespace detail

/// An fp16x3 policy whose error is at most
///
///     (k / 64 + 52) u |A| |B|
///
/// for any A and B, in each element, with u = 2^-24, or (k + 4) u |A| |B| where that is more. Around another policy of
/// split terms the first is 4 u |A| |B| more than that of the policy without a fallback. Nothing is lost silently:
/// the passes that split A and B look at all elements. A product for which fp16x3 does not promise the bound is
/// computed by the multiply-adds of float instead, with IEEE arithmetic's infinities and NaN. That is so
///
///     if a row of A and a column of B are such that together more than 7/8 of k have an element below 2^-7 of the
///     greatest in its row or column, and any element of A or B is below 2^-16 of it and not 0;
///     if A or B has an infinite element or a NaN.
///
/// Rows and columns of zeros do not count. So fp16x3 computes products of integers below 2^16, and of numbers whose
/// rows and columns are each of one magnitude, whatever their scales. It computes those of a matrix with any number of
/// zeros, if the rest of it and all of the other have a range of 2^16. Where one is full, half of the other may be
/// zeros.
///
/// The fallback computes rows that a few elements are far above, and A D with a D of a wide range. That takes float's
/// time and two fifths more: the first tiles are computed in vain, and its additions are compensated. Where C is small,
/// it splits k into up to 8 slices.
///
/// Everything else is as with the policy, but a row of C depends on all rows of A, if one of them causes the fallback.
/// It costs a launch whose blocks do nothing.
template <class Policy>
struct with_fallback : Policy {
  using otherwise = detail::pipelined_where_refused;
  using otherwise_small = detail::pipelined_where_small_refused;
  static constexpr kernel_info info = Policy::info.with(&kernel_info::with_fallback, true);

  template <class T>
  static constexpr bool check() {
    constexpr bool legal = Policy::info.split_terms && !Policy::info.with_fallback && !Policy::info.equilibrated;
    static_assert(legal, "gemm: with_fallback needs an fp16x3 or bf16x6 policy, not equilibrated. Change the policy.");
    if constexpr (legal) {
      return Policy::template check<T>();
    }
    return false;
  }
};

}  // namespace gemm
