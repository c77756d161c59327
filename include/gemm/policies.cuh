// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies: one of each rung, with the parameters that its figures in the README were measured with.
#pragma once

#include <gemm/kernel/block_tile_1d.cuh>
#include <gemm/kernel/block_tile_2d.cuh>
#include <gemm/kernel/coalesced.cuh>
#include <gemm/kernel/naive.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/shared_tile.cuh>
#include <gemm/kernel/vectorized.cuh>
#include <gemm/kernel/warp_tile.cuh>
#include <gemm/policy.hpp>

namespace gemm {

struct naive_32x32 : naive<block<32, 32>> {};
struct coalesced_32x32 : coalesced<block<32, 32>> {};
struct shared_tile_32x32x32 : shared_tile<block<32, 32, 32>> {};
struct block_tile_1d_64x64x16 : block_tile_1d<block<64, 64, 16>, thread<8>> {};
struct block_tile_2d_128x128x8 : block_tile_2d<block<128, 128, 8>, thread<8, 8>> {};
struct vectorized_128x128x8 : vectorized<block<128, 128, 8>, thread<8, 8>> {};
struct warp_tile_128x128x16 : warp_tile<block<128, 128, 16>, warp<64, 32>, thread<4, 4>> {};
struct pipelined_128x128x16 : pipelined<block<128, 128, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {};

/// The candidates of run() without a policy. Their efficiency is the part of the multiply-add peak (66.9 TFLOP/s) that
/// they reached at float 4096^3 nn on an H200; the model of host/choose.hpp goes by it.
struct pipelined_64x128x16 : pipelined<block<64, 128, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
  static constexpr double efficiency = 0.74;
};
struct pipelined_64x64x16 : pipelined<block<64, 64, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
  static constexpr double efficiency = 0.72;
};
struct pipelined_32x64x32 : pipelined<block<32, 64, 32>, warp<32, 16>, thread<4, 4>, stages<3>> {
  static constexpr double efficiency = 0.57;
};
struct pipelined_16x64x32 : pipelined<block<16, 64, 32>, warp<16, 32>, thread<4, 4>, stages<3>> {
  static constexpr double efficiency = 0.52;
};

}  // namespace gemm
