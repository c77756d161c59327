// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies: one of each rung, with the parameters that its figures in the README were measured with, and
//! those that run() chooses from.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/kernel/block_tile_1d.cuh>
#include <gemm/kernel/block_tile_2d.cuh>
#include <gemm/kernel/coalesced.cuh>
#include <gemm/kernel/naive.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/shared_tile.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/kernel/vectorized.cuh>
#include <gemm/kernel/warp_specialized.cuh>
#include <gemm/kernel/warp_tile.cuh>
#include <gemm/parts_policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/tensor_policies.cuh>
#include <gemm/thin_policies.cuh>

namespace gemm {

struct naive_32x4 : naive<block<32, 4>> {};
struct coalesced_32x32 : coalesced<block<32, 32>> {};
struct shared_tile_32x32x32 : shared_tile<block<32, 32, 32>> {};
struct block_tile_1d_64x64x16 : block_tile_1d<block<64, 64, 16>, thread<8>> {};
struct block_tile_2d_128x128x8 : block_tile_2d<block<128, 128, 8>, thread<8, 8>> {};
struct vectorized_128x128x8 : vectorized<block<128, 128, 8>, thread<8, 8>> {};
struct warp_tile_128x128x16 : warp_tile<block<128, 128, 16>, warp<64, 32>, thread<4, 4>> {};
struct pipelined_128x128x16 : pipelined<block<128, 128, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {};

/// The candidates of run() without a policy. What the model of host/model.hpp knows of them is the part of a
/// multiprocessor's peak that they reach when its blocks fill it, and when it has one block alone, and how many seconds
/// a block takes besides: fitted, for float, to what all of them took for many shapes on an H200.
/// `misaligned_rows_tma`: `repacked`, it packs no k-major A whose rows are misaligned, if TMA can load them class by
/// class (block/row_classes.cuh). k_groups and slices of k then have other parts of it, and sums other last bits. Not
/// in tiles of 32 x 64, whose blocks it has begin later (H200, 512^3 in 10.2 instead of 9.8 us). `packs_k_major_b`:
/// `repacked`, it turns no tile of B, whose copy lies by line then: to find squares takes an instruction for each
/// hundred multiply-adds (H200, nt 4096^3 in 2591 instead of 2555 us, 1536^3 in 259, not 255).
struct warp_specialized_128x128x32 : warp_specialized<block<128, 128, 32>, stages<3>> {
  static constexpr kernel_info info =
      warp_specialized::info.with({.efficiency = 0.85, .efficiency_alone = 0.713, .overhead = 3.85e-6},
                                  {.misaligned_rows_tma = true, .packs_k_major_b = true});
};
struct warp_specialized_128x64x32 : warp_specialized<block<128, 64, 32>, stages<8>, k_groups<4>> {
  static constexpr kernel_info info = warp_specialized::info.with(
      {.efficiency = 0.775, .efficiency_alone = 0.815, .overhead = 4.06e-6}, {.misaligned_rows_tma = true});
};
struct warp_specialized_64x64x32 : warp_specialized<block<64, 64, 32>, stages<6>, k_groups<4>> {
  static constexpr kernel_info info = warp_specialized::info.with(
      {.efficiency = 0.804, .efficiency_alone = 0.599, .overhead = 2e-6}, {.misaligned_rows_tma = true});
};
struct warp_specialized_32x64x32 : warp_specialized<block<32, 64, 32>, stages<16>, k_groups<8>, warp<32, 64>> {
  static constexpr kernel_info info = warp_specialized::info.with({.efficiency = 0.595, .overhead = 1.21e-6});
};
struct warp_specialized_16x128x32 : warp_specialized<block<16, 128, 32>, stages<6>, k_groups<4>, warp<16, 128>> {
  static constexpr kernel_info info = warp_specialized::info.with(
      {.efficiency = 0.668, .efficiency_alone = 0.51, .overhead = 1.55e-6}, {.misaligned_rows_tma = true});
};
struct warp_specialized_128x16x32 : warp_specialized<block<128, 16, 32>, stages<6>, k_groups<4>, warp<128, 16>> {
  static constexpr kernel_info info = warp_specialized::info.with(
      {.efficiency = 0.684, .efficiency_alone = 0.574, .overhead = 1.25e-6}, {.misaligned_rows_tma = true});
};
/// (In two groups of two warps, 8 x 8 elements for a thread, two thirds to all of its speed; 32 x 128 likewise gained 1
/// % over what is chosen now of 51 products of 17 to 40 rows.)
struct warp_specialized_128x32x32 : warp_specialized<block<128, 32, 32>, stages<5>, k_groups<4>, warp<128, 32>> {
  static constexpr kernel_info info = warp_specialized::info.with(
      {.efficiency = 0.811, .efficiency_alone = 0.637, .overhead = 2.53e-6}, {.misaligned_rows_tma = true});
};
struct warp_specialized_16x64x32 : warp_specialized<block<16, 64, 32>, stages<18>, k_groups<8>, warp<16, 64>> {
  static constexpr kernel_info info = warp_specialized::info.with(
      {.efficiency = 0.511, .efficiency_alone = 0.532, .overhead = 1.25e-6}, {.misaligned_rows_tma = true});
};
struct persistent_128x64x32 : persistent<warp_specialized<block<128, 64, 32>, stages<4>, k_groups<1>, warp<64, 32>>> {
  static constexpr kernel_info info =
      persistent::info.with({.efficiency = 0.774, .efficiency_alone = 0.571, .overhead = 1.55e-6});
};
struct persistent_36x128x32 : persistent<warp_specialized<block<36, 128, 32>, stages<3>, k_groups<1>, warp<36, 32>>> {
  static constexpr kernel_info info =
      persistent::info.with({.efficiency = 0.66, .efficiency_alone = 0.495, .overhead = 1.3e-6});
};
struct persistent_64x128x32 : persistent<warp_specialized<block<64, 128, 32>, stages<4>, k_groups<1>, warp<64, 32>>> {
  static constexpr kernel_info info =
      persistent::info.with({.efficiency = 0.72, .efficiency_alone = 0.583, .overhead = 1.23e-6});
};
struct persistent_64x64x32 : persistent<warp_specialized<block<64, 64, 32>, stages<4>, k_groups<1>, warp<32, 32>>> {
  static constexpr kernel_info info =
      persistent::info.with({.efficiency = 0.677, .efficiency_alone = 0.478, .overhead = 1.35e-6});
};
struct persistent_128x32x32 : persistent<warp_specialized<block<128, 32, 32>, stages<3>, k_groups<1>, warp<32, 32>>> {
  static constexpr kernel_info info =
      persistent::info.with({.efficiency = 0.629, .efficiency_alone = 0.5, .overhead = 1.49e-6});
};
struct pipelined_64x128x16 : pipelined<block<64, 128, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info =
      pipelined::info.with({.efficiency = 0.76, .efficiency_alone = 0.6, .overhead = 1.6e-6});
};
struct pipelined_64x64x16 : pipelined<block<64, 64, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info =
      pipelined::info.with({.efficiency = 0.729, .efficiency_alone = 0.31, .overhead = 1.6e-6});
};
struct pipelined_128x64x16 : pipelined<block<128, 64, 16>, warp<64, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info = pipelined::info.with(
      {.efficiency = 0.728, .efficiency_alone = 0.528, .overhead = 1.59e-6}, {.narrow_on_sm90a = true});
};
struct pipelined_48x128x16 : pipelined<block<48, 128, 16>, warp<48, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info =
      pipelined::info.with({.efficiency = 0.68, .efficiency_alone = 0.515, .overhead = 1.33e-6});
};
struct pipelined_32x128x16 : pipelined<block<32, 128, 16>, warp<32, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info =
      pipelined::info.with({.efficiency = 0.616, .efficiency_alone = 0.518, .overhead = 0.854e-6});
};
struct pipelined_128x32x16 : pipelined<block<128, 32, 16>, warp<32, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info = pipelined::info.with(
      {.efficiency = 0.545, .efficiency_alone = 0.494, .overhead = 1e-6}, {.narrow_on_sm90a = true});
};
struct pipelined_128x48x16 : pipelined<block<128, 48, 16>, warp<32, 48>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info = pipelined::info.with(
      {.efficiency = 0.606, .efficiency_alone = 0.533, .overhead = 1.28e-6}, {.narrow_on_sm90a = true});
};
/// (64x64x32 and 32x64x32 in two stages: 200 of 150^3 in 70.3 and 69.9 us, not 70.4; 500 of 120^3 63.2 and 71.6, not
/// 64.2, and persistent_128x64x32 58.5.)
struct pipelined_64x64x12 : pipelined<block<64, 64, 12>, warp<32, 32>, thread<4, 4>, stages<3>> {
  // Five blocks have 102 registers a thread.
  static constexpr kernel_info info = pipelined::info.with(
      {.efficiency = 0.61, .efficiency_alone = 0.4, .overhead = 0.913e-6}, {.min_blocks = 5, .narrow_on_sm90a = true});
};
/// For operands whose rows begin anywhere and cost more to pack than to turn, element by element, on their way. A warp
/// copies 128 or 64 bytes of a row, not 32 or 16, for which the tiles have to be twisted (H200, 895^3 in two slices: nn
/// 41.5 us, nt 41.6, in tiles of 64x64x12 45.8 and 51.6; 1301x1301x301 in the larger one 34.2 and 35.0, packed 37.9 and
/// 38.1; see bench/results/h200/twisted_tiles.csv; since its copies are spread, 32.3 and 32.8, see spread_copies.csv).
/// Before they were, 128 x 64 tiles, of which these registers leave room for three blocks on a multiprocessor, took 84
/// us for 999x2001x513, 128x128x32 57.4 in two stages and 57.7 in three, 128x128x16 56.2. Two blocks of those, with one
/// set of registers for B's fragments, took 7 % longer for it, and as long for 100x30011x257. And
/// warp_specialized_128x128x32, by such copies into the layouts that its consumers read, gained little: nt
/// 127x4399x7483 in seven slices 219 us, here 227, but nn 232 and 223, nt 999x2001x513 58.8 and 56.6.
struct pipelined_twisted_64x64x32 : pipelined<block<64, 64, 32>, warp<32, 32>, thread<4, 4>, stages<2>> {
  static constexpr kernel_info info =
      pipelined::info.with({.efficiency = 0.625, .efficiency_alone = 0.381, .overhead = 0.87e-6},
                           {.xor_swizzled = true, .narrow_on_sm90a = true});
};
struct pipelined_twisted_128x128x16 : pipelined<block<128, 128, 16>, warp<64, 32>, thread<4, 4>, stages<4>> {
  // One block leaves a thread the registers for its addresses, 168 of them room for the next kernel's blocks.
  static constexpr kernel_info info =
      pipelined::info.with({.efficiency = 0.66, .overhead = 4.4e-6},
                           {.min_blocks = 1, .registers = 168, .xor_swizzled = true, .narrow_on_sm90a = true});
};
struct pipelined_32x64x32 : pipelined<block<32, 64, 32>, warp<32, 16>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info = pipelined::info.with(
      {.efficiency = 0.544, .efficiency_alone = 0.37, .overhead = 0.494e-6}, {.narrow_floats_on_sm90a = true});
};
struct pipelined_16x64x32 : pipelined<block<16, 64, 32>, warp<16, 32>, thread<4, 4>, stages<3>> {
  static constexpr kernel_info info =
      pipelined::info.with({.efficiency = 0.467, .efficiency_alone = 0.188, .overhead = 0.339e-6});
};

}  // namespace gemm
