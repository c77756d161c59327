// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies for products of few rows or columns or a short k, and for batches of small ones: candidates, as
//! policies.cuh explains them.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/kernel/outer_product.cuh>
#include <gemm/kernel/skinny.cuh>
#include <gemm/kernel/warp_per_product.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// Candidates, too, for one row and for one column.
struct skinny_1x32x512 : skinny<block<1, 32, 512>, warps<16>> {
  static constexpr kernel_info info = skinny::info.with({.efficiency = 0.4, .efficiency_alone = 0.2, .overhead = 2e-6});
};
struct skinny_32x1x512 : skinny<block<32, 1, 512>, warps<16>> {
  static constexpr kernel_info info = skinny::info.with({.efficiency = 0.4, .efficiency_alone = 0.2, .overhead = 2e-6});
};

/// And where k is short (H200, 100000x1x128 in 16.3 us, and 60 in the other; 1x50257x768 39.4, and 56; 64 x 128 instead
/// of 128 x 64 takes 24.7 instead of 21.3 for 200000x1x65 and 41.3 for 1x50257x768; with 256 x 32 it spills).
struct skinny_1x128x64 : skinny<block<1, 128, 64>, warps<8>> {
  static constexpr kernel_info info =
      skinny::info.with({.efficiency = 0.136, .efficiency_alone = 0.034, .overhead = 1.1e-6});
  /// Where lanes run along B's rows, by element: a kernel less (H200, 1x100000x64 in 10.5 us, not 10.3).
  template <class T, major Major>
  static constexpr int access_width =
      Major == major::mn ? 1 : skinny<block<1, 128, 64>, warps<8>>::access_width<T, Major>;
};
struct skinny_128x1x64 : skinny<block<128, 1, 64>, warps<8>> {
  static constexpr kernel_info info =
      skinny::info.with({.efficiency = 0.136, .efficiency_alone = 0.034, .overhead = 1.1e-6});
};

/// For two to eight rows or columns, which one reading of B or A serves, wherever its lines begin, or of B two, of
/// which the L2 serves one. They read element by element, and so compile a kernel less (H200, 8x30001x512 in 22.6 us
/// either way, 30000x3x500 in 22.5 and not 21.1; pipelined_16x64x32 and warp_specialized_128x16x32 take 31.4 and 41).
/// Of four warps, and several blocks on a multiprocessor, so that few blocks are not uneven.
///
/// Eight rows of 128 columns took longer: nn 3x100003x33 12.8 us instead of 9.6, 8x30001x512 22.6, not 21.5; nt 26.8
/// for 3x40001x333, not 19.2, 29.0 for 8x30001x512, not 19.8. Pieces of 64 of a line of B are for such as are read
/// along k: nn 2x50001x400 26.3 us instead of 22.
struct skinny_4x128x32 : skinny<block<4, 128, 32>, warps<4>> {
  static constexpr kernel_info info =
      skinny::info.with({.efficiency = 0.246, .efficiency_alone = 0.0634, .overhead = 0.65e-6},
                        {.most_few = 8, .wide_a = false, .wide_b = false});
};
struct skinny_4x64x64 : skinny<block<4, 64, 64>, warps<4>> {
  static constexpr kernel_info info =
      skinny::info.with({.efficiency = 0.159, .efficiency_alone = 0.0415, .overhead = 0.28e-6},
                        {.min_blocks = 8, .wide_a = false, .wide_b = false});
};
struct skinny_8x64x64 : skinny<block<8, 64, 64>, warps<4>> {
  static constexpr kernel_info info = skinny::info.with(
      {.efficiency = 0.31, .efficiency_alone = 0.0775, .overhead = 0.8e-6}, {.wide_a = false, .wide_b = false});
};
struct skinny_64x8x64 : skinny<block<64, 8, 64>, warps<4>> {
  static constexpr kernel_info info = skinny::info.with(
      {.efficiency = 0.49, .efficiency_alone = 0.123, .overhead = 0.9e-6}, {.wide_a = false, .wide_b = false});
};

/// For a k of up to 16, where storing C takes the time.
struct outer_product_32x128x16 : outer_product<block<32, 128, 16>, warps<4>> {
  static constexpr kernel_info info =
      outer_product::info.with({.efficiency = 0.8, .efficiency_alone = 0.2, .overhead = 0.8e-6});
};

/// For batches of up to 16^3, 32^3 and 48^3 (of cublasSgemm's time in 100000, 50000, 10000 of them: 0.35, 0.80, 0.75).
/// Of larger products, blocks of as many threads as 8 x 8 elements each need were no gain (H200, 1000 of 100^3 96 us,
/// persistent_36x128x32 95; 500 of 128^3 65, not 55).
struct small_16x16x16 : warp_per_product<block<16, 16, 16>, warps<4>> {
  static constexpr kernel_info info =
      warp_per_product::info.with({.efficiency = 0.17, .efficiency_alone = 0.03, .overhead = 0.1e-6});
};
struct small_32x32x32 : warp_per_product<block<32, 32, 32>, warps<4>> {
  static constexpr kernel_info info =
      warp_per_product::info.with({.efficiency = 0.394, .efficiency_alone = 0.1, .overhead = 0.3e-6});
};
struct small_48x48x48 : warp_per_product<block<48, 48, 48>, warps<2>> {
  static constexpr kernel_info info =
      warp_per_product::info.with({.efficiency = 0.4, .efficiency_alone = 0.1, .overhead = 0.6e-6});
};

}  // namespace gemm
