// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies: one of each rung of the ladder, and the candidates of run().
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/emulation/policies.cuh>
#include <gemm/kernel/block_scaled.cuh>
#include <gemm/kernel/block_tile_1d.cuh>
#include <gemm/kernel/block_tile_2d.cuh>
#include <gemm/kernel/coalesced.cuh>
#include <gemm/kernel/naive.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/shared_tile.cuh>
#include <gemm/kernel/sm90_simt_tma.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/kernel/vectorized.cuh>
#include <gemm/kernel/warp_tile.cuh>
#include <gemm/mma_policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/thin_policies.cuh>
#include <gemm/wgmma_policies.cuh>

namespace gemm {

/// @defgroup ladder_policies Named policies: the ladder
/// One for each rung, with the parameters of its figures in the README. A name has the template and its block, m x n x
/// k; the parameters are at the template that it derives from.
/// @{
struct naive_32x4 : naive<block<32, 4>> {};
struct coalesced_32x32 : coalesced<block<32, 32>> {};
struct shared_tile_32x32x32 : shared_tile<block<32, 32, 32>> {};
struct block_tile_1d_64x64x16 : block_tile_1d<block<64, 64, 16>, thread<8>> {};
struct block_tile_2d_128x128x8 : block_tile_2d<block<128, 128, 8>, thread<8, 8>> {};
struct vectorized_128x128x8 : vectorized<block<128, 128, 8>, thread<8, 8>> {};
struct warp_tile_128x128x16 : warp_tile<block<128, 128, 16>, warp<64, 32>, thread<4, 4>> {};
struct pipelined_128x128x16 : pipelined<block<128, 128, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {};
/// @}

/// @defgroup simt_policies Named policies: multiply-adds of threads
/// The candidates of run() for float; pipelined ones also for other types (choose/kernel_table.hpp).
/// @{
struct sm90_simt_tma_128x128x32 : sm90_simt_tma<block<128, 128, 32>, stages<3>> {
  static constexpr kernel_info info = sm90_simt_tma::info.with({.packs_k_major_b = true});
};
struct sm90_simt_tma_128x64x32 : sm90_simt_tma<block<128, 64, 32>, stages<8>, k_groups<4>> {};
struct sm90_simt_tma_64x64x32 : sm90_simt_tma<block<64, 64, 32>, stages<6>, k_groups<4>> {};
struct sm90_simt_tma_128x32x32 : sm90_simt_tma<block<128, 32, 32>, stages<5>, k_groups<4>, warp<128, 32>> {};
struct sm90_simt_tma_128x16x32 : sm90_simt_tma<block<128, 16, 32>, stages<6>, k_groups<4>, warp<128, 16>> {};
struct sm90_simt_tma_16x64x32 : sm90_simt_tma<block<16, 64, 32>, stages<18>, k_groups<8>, warp<16, 64>> {};
struct persistent_128x64x32 : persistent<sm90_simt_tma<block<128, 64, 32>, stages<4>, k_groups<1>, warp<64, 32>>> {};
struct persistent_64x128x32 : persistent<sm90_simt_tma<block<64, 128, 32>, stages<4>, k_groups<1>, warp<64, 32>>> {};
struct persistent_64x64x32 : persistent<sm90_simt_tma<block<64, 64, 32>, stages<4>, k_groups<1>, warp<32, 32>>> {};
struct persistent_128x32x32 : persistent<sm90_simt_tma<block<128, 32, 32>, stages<3>, k_groups<1>, warp<32, 32>>> {};
struct pipelined_64x128x16 : pipelined<block<64, 128, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {};
struct pipelined_64x64x16 : pipelined<block<64, 64, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {};
struct pipelined_128x64x16 : pipelined<block<128, 64, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info = pipelined::info.with({.narrow_on_sm90a = true});
};
struct pipelined_48x128x16 : pipelined<block<48, 128, 16>, warp<48, 32>, thread<4, 4>, stages<3>> {};
struct pipelined_32x128x16 : pipelined<block<32, 128, 16>, warp<32, 32>, thread<4, 4>, stages<3>> {};
struct pipelined_128x32x16 : pipelined<block<128, 32, 16>, warp<32, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info = pipelined::info.with({.narrow_on_sm90a = true});
};
struct pipelined_32x64x32 : pipelined<block<32, 64, 32>, warp<32, 16>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info = pipelined::info.with({.narrow_floats_on_sm90a = true});
};
struct pipelined_16x64x32 : pipelined<block<16, 64, 32>, warp<16, 32>, thread<4, 4>, stages<3>> {};
/// @}

}  // namespace gemm
