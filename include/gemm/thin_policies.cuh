// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies for products of few rows or columns or a short k, and for batches of small products.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/kernel/outer_product.cuh>
#include <gemm/kernel/skinny.cuh>
#include <gemm/kernel/warp_per_product.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// @defgroup thin_policies Named policies: few rows or columns, short k, small batches
/// Candidates of run() for float; skinny_1x32x512 and skinny_32x1x512 also for other types (choose/kernel_table.hpp).
///
///     skinny_1x32x512, skinny_32x1x512    one row, one column
///     skinny_1x128x64, skinny_128x1x64    the same with a short k
///     skinny_4x128x32, skinny_8x64x64     2 to 8 rows: B is read once, element by element, aligned or not
///     skinny_64x8x64                      2 to 8 columns, likewise
///     outer_product_32x128x16             k of up to 16, where storing C takes the time
///     small_16x16x16 to small_48x48x48    batches of products of up to 16^3, 32^3 and 48^3
/// @{
struct skinny_1x32x512 : skinny<block<1, 32, 512>, warps<16>> {};
struct skinny_32x1x512 : skinny<block<32, 1, 512>, warps<16>> {};

struct skinny_1x128x64 : skinny<block<1, 128, 64>, warps<8>> {
  // An mn-major B is read element by element: one kernel serves aligned and misaligned rows.
  template <class T, major Major>
  static constexpr int access_width =
      Major == major::mn ? 1 : skinny<block<1, 128, 64>, warps<8>>::access_width<T, Major>;
};
struct skinny_128x1x64 : skinny<block<128, 1, 64>, warps<8>> {};

struct skinny_4x128x32 : skinny<block<4, 128, 32>, warps<4>> {
  static constexpr kernel_info info = skinny::info.with({.most_few = 8, .narrow_a = true, .narrow_b = true});
};
struct skinny_8x64x64 : skinny<block<8, 64, 64>, warps<4>> {
  static constexpr kernel_info info = skinny::info.with({.narrow_a = true, .narrow_b = true});
};
struct skinny_64x8x64 : skinny<block<64, 8, 64>, warps<4>> {
  static constexpr kernel_info info = skinny::info.with({.narrow_a = true, .narrow_b = true});
};

struct outer_product_32x128x16 : outer_product<block<32, 128, 16>, warps<4>> {};

struct small_16x16x16 : warp_per_product<block<16, 16, 16>, warps<4>> {};
struct small_32x32x32 : warp_per_product<block<32, 32, 32>, warps<4>> {};
struct small_48x48x48 : warp_per_product<block<48, 48, 48>, warps<2>> {};
/// @}

}  // namespace gemm
