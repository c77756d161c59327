// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies of mma.sync, the tensor cores of every GPU from sm_80 on.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cstdint>

#include <gemm/kernel/sm80_mma.cuh>
#include <gemm/kernel/warp_mma.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// @defgroup mma_policies Named policies: mma.sync
/// warp_mma is the rung of the ladder. choose/kernel_table.hpp says which sm80_mma policies run() may choose, and
/// `without_wgmma` those that it chooses only where there is no wgmma, `besides_wgmma` also for what wgmma does not
/// compute. For half and bf16:
///
///     256x128x32, 128x256x32    large C, tall or wide
///     128x128x32                two blocks share a multiprocessor
///     128x192x32                large C, two blocks share a multiprocessor; by warps of 64 x 96, which read less
///     shared
///                               memory for each multiplication
///     64x128x32, 64x64x64       small C
///     32x64x64, 16x64x64        few rows, which memory bounds: two blocks or more share a multiprocessor
///     16x128x64                 few rows, one block with more bytes in flight
///
/// Those of tf32, s8 (int8), fp8 (from sm_89 on) and f64 (double) have their type in the name. f64_128x64x16 has eight
/// warps, for products with fewer tiles than multiprocessors.
/// @{
struct warp_mma_128x128x32 : warp_mma<block<128, 128, 32>, warp<64, 32>> {};
struct warp_mma_tf32_128x128x16 : warp_mma<block<128, 128, 16>, warp<64, 32>, tf32> {};
struct warp_mma_s8_128x128x32 : warp_mma<block<128, 128, 32>, warp<64, 32>, std::int8_t> {};
struct warp_mma_f64_64x64x8 : warp_mma<block<64, 64, 8>, warp<32, 32>, double> {};

struct sm80_mma_128x128x32 : sm80_mma<block<128, 128, 32>, warp<64, 64>, stages<3>> {
  static constexpr kernel_info info = sm80_mma::info.with({.besides_wgmma = true});
};
struct sm80_mma_128x256x32 : sm80_mma<block<128, 256, 32>, warp<64, 64>, stages<4>> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_256x128x32 : sm80_mma<block<256, 128, 32>, warp<64, 64>, stages<4>> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_128x192x32 : sm80_mma<block<128, 192, 32>, warp<64, 96>, stages<4>> {};
struct sm80_mma_64x128x32 : sm80_mma<block<64, 128, 32>, warp<32, 64>, stages<4>> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_64x64x64 : sm80_mma<block<64, 64, 64>, warp<32, 32>, stages<3>> {};
struct sm80_mma_32x64x64 : sm80_mma<block<32, 64, 64>, warp<32, 32>, stages<4>> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_16x64x64 : sm80_mma<block<16, 64, 64>, warp<16, 32>, stages<4>> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_16x128x64 : sm80_mma<block<16, 128, 64>, warp<16, 32>, stages<5>> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_tf32_128x128x16 : sm80_mma<block<128, 128, 16>, warp<64, 64>, stages<3>, tf32> {};
struct sm80_mma_tf32_128x256x32 : sm80_mma<block<128, 256, 32>, warp<64, 64>, stages<4>, tf32> {};
struct sm80_mma_tf32_128x256x16 : sm80_mma<block<128, 256, 16>, warp<64, 64>, stages<4>, tf32> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_tf32_64x128x16 : sm80_mma<block<64, 128, 16>, warp<32, 64>, stages<4>, tf32> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_tf32_64x64x32 : sm80_mma<block<64, 64, 32>, warp<32, 32>, stages<3>, tf32> {};
struct sm80_mma_tf32_32x64x32 : sm80_mma<block<32, 64, 32>, warp<32, 32>, stages<4>, tf32> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_tf32_16x64x32 : sm80_mma<block<16, 64, 32>, warp<16, 32>, stages<4>, tf32> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_tf32_16x128x32 : sm80_mma<block<16, 128, 32>, warp<16, 32>, stages<5>, tf32> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_s8_128x128x64 : sm80_mma<block<128, 128, 64>, warp<64, 64>, stages<3>, std::int8_t> {
  static constexpr kernel_info info = sm80_mma::info.with({.besides_wgmma = true});
};
struct sm80_mma_s8_128x256x64 : sm80_mma<block<128, 256, 64>, warp<64, 64>, stages<4>, std::int8_t> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_s8_64x128x64 : sm80_mma<block<64, 128, 64>, warp<32, 64>, stages<4>, std::int8_t> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_s8_64x64x128 : sm80_mma<block<64, 64, 128>, warp<32, 32>, stages<3>, std::int8_t> {};
struct sm80_mma_s8_32x64x128 : sm80_mma<block<32, 64, 128>, warp<32, 32>, stages<4>, std::int8_t> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_s8_16x64x128 : sm80_mma<block<16, 64, 128>, warp<16, 32>, stages<4>, std::int8_t> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_s8_16x128x128 : sm80_mma<block<16, 128, 128>, warp<16, 32>, stages<5>, std::int8_t> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_fp8_128x128x64 : sm80_mma<block<128, 128, 64>, warp<64, 32>, stages<3>, fp8> {
  static constexpr kernel_info info = sm80_mma::info.with({.besides_wgmma = true});
};
struct sm80_mma_fp8_64x128x64 : sm80_mma<block<64, 128, 64>, warp<64, 32>, stages<4>, fp8> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_fp8_64x64x128 : sm80_mma<block<64, 64, 128>, warp<32, 32>, stages<3>, fp8> {};
struct sm80_mma_fp8_32x64x128 : sm80_mma<block<32, 64, 128>, warp<32, 32>, stages<4>, fp8> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_fp8_16x64x128 : sm80_mma<block<16, 64, 128>, warp<16, 32>, stages<4>, fp8> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_fp8_16x128x128 : sm80_mma<block<16, 128, 128>, warp<16, 32>, stages<5>, fp8> {
  static constexpr kernel_info info = sm80_mma::info.with({.without_wgmma = true});
};
struct sm80_mma_f64_64x128x16 : sm80_mma<block<64, 128, 16>, warp<32, 64>, stages<3>, double> {};
struct sm80_mma_f64_128x128x16 : sm80_mma<block<128, 128, 16>, warp<32, 64>, stages<4>, double> {};
struct sm80_mma_f64_128x64x16 : sm80_mma<block<128, 64, 16>, warp<32, 32>, stages<4>, double> {};
struct sm80_mma_f64_64x64x16 : sm80_mma<block<64, 64, 16>, warp<32, 32>, stages<3>, double> {};
/// @}

}  // namespace gemm
