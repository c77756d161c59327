// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies of the tensor cores; see policies.cuh.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/kernel/tensor_core.cuh>
#include <gemm/kernel/tensor_core_ping_pong.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// The candidates for half and bf16 on sm_90, but 128 x 128 and 128 x 96 of tensor_core alone, which are there to
/// compare with. efficiency: that of the tensor cores of an H200, which does not keep its clock under them.
///
///     alone, in turns    where they fill the last wave, each width for other sizes
///     in clusters        for lines that do not begin at multiples of 128 bytes, which cost twice to bring, and for
///                        operands from memory that several blocks want; the wide ones, too, for sizes that fill waves
///                        of them
///     in slices          for a C of few tiles
///
/// Beside some is a product that they are for: bf16 nt on an H200, the part that they have of the speed of cuBLAS's
/// best, and after it that of the next best tile; or times. What lost: 128 x 144, 128 x 160, 128 x 176, 128 x 224 and
/// 192 x 160 in clusters were the best nowhere, or by one percent; 192 x 160, 144 x 128, 96 x 128, 64 x 192 and 80 x 64
/// in clusters of two or four were best for a few of 220 shapes of few tiles, but the 26 of 247 others that they were
/// then chosen for took 1.04 of the time; clusters of eight gained nothing on them.
///
/// lone: how much longer a tile takes that no other takes turns with (tn 192^3 in 128 x 128 in turns 4.2 us, in 64 x 64
/// 3.3; 448^3 5.4 and 4.4; nt 512x3072x768 7.9, in 64 x 192 7.5). Fitted to what was chosen so; of k less than 128
/// nothing was measured.
struct tensor_core_ping_pong_128x128x64 : tensor_core_ping_pong<block<128, 128, 64>, stages<6>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.6e-6, .lone = 0.7e-6});
};
struct tensor_core_ping_pong_128x128x64_1x2 : tensor_core_ping_pong<block<128, 128, 64>, stages<6>, cluster<1, 2>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.65e-6, .lone = 0.7e-6});
};
struct tensor_core_ping_pong_128x144x64 : tensor_core_ping_pong<block<128, 144, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.85e-6, .lone = 0.4e-6});
};
struct tensor_core_ping_pong_128x160x64 : tensor_core_ping_pong<block<128, 160, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.9e-6, .lone = 0.4e-6});
};
struct tensor_core_ping_pong_128x168x64 : tensor_core_ping_pong<block<128, 168, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.93e-6, .lone = 0.4e-6});
};
/// 4096x2112x7168: 1.00, in 128 x 128 0.81. Such tiles take fewer clocks than 128 x 256, and more energy: an H100
/// at its 700 W, over and over, nt 8192^3 1636 us and 1570, 4096x28672x4096 1423 and 1387; but in turns with cuBLAS's,
/// at one clock for all, 0.98 and 1.01 of its speed at 8192^3, and 0.94 and 0.99.
struct tensor_core_ping_pong_128x176x64 : tensor_core_ping_pong<block<128, 176, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.85e-6, .lone = 0.4e-6});
};
/// 128x28672x4096: 1.01, in 128 x 128 0.94. stored_first: how much longer it takes where tiles are not stored while the
/// next are multiplied.
struct tensor_core_128x224x64 : tensor_core<block<128, 224, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.752, .overhead = 2.2e-6, .stored_first = 1.09});
};
/// Takes the least power, and stores a tile while it multiplies the next (4096^3: 192.5 us, in 128 x 128 in turns
/// 196.9; 8192^3 over and over for seconds 1628 us, 1741).
struct tensor_core_128x256x64 : tensor_core<block<128, 256, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.7575, .overhead = 2.2e-6, .stored_first = 1.09});
};
/// Wide tiles in clusters.
template <class Policy>
struct wide_in_cluster : Policy {
  static constexpr kernel_info info = Policy::info.with({.efficiency = 0.68, .overhead = 1.1e-6});
};
/// 3000^3: 0.99, 0.90.
struct tensor_core_192x192x64_2x1 : wide_in_cluster<tensor_core<block<192, 192, 64>, stages<4>, cluster<2>>> {};
/// 2280^3: 0.99, 0.83.
struct tensor_core_192x208x64_2x1 : tensor_core<block<192, 208, 64>, stages<4>, cluster<2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.68, .overhead = 2.2e-6});
};
/// 2120^3: 0.97, 0.92.
struct tensor_core_256x160x64_1x2 : wide_in_cluster<tensor_core<block<256, 160, 64>, stages<4>, cluster<1, 2>>> {};
/// 2080^3: 1.07, 1.01.
struct tensor_core_192x176x64_1x2 : wide_in_cluster<tensor_core<block<192, 176, 64>, stages<4>, cluster<1, 2>>> {};
/// 10000x1000x1000: 0.97, 0.84.
struct tensor_core_160x256x64_2x1 : wide_in_cluster<tensor_core<block<160, 256, 64>, stages<4>, cluster<2>>> {};
/// 600x5000x3000: 0.94, 0.88.
struct tensor_core_224x128x64_1x2 : wide_in_cluster<tensor_core<block<224, 128, 64>, stages<4>, cluster<1, 2>>> {};
/// 1680^3: 1.05, 0.95.
struct tensor_core_192x128x64_1x2 : wide_in_cluster<tensor_core<block<192, 128, 64>, stages<5>, cluster<1, 2>>> {};
/// 2000^3: 1.04, 1.00.
struct tensor_core_128x256x64_2x1 : tensor_core<block<128, 256, 64>, stages<4>, cluster<2>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.753, .overhead = 2.2e-6, .stored_first = 1.09});
};
/// 2800^3: 0.98, 0.96.
struct tensor_core_128x240x64_2x1 : tensor_core<block<128, 240, 64>, stages<4>, cluster<2>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.7, .overhead = 1.6e-6, .stored_first = 1.03});
};
/// Whole and in slices for a C of few tiles, as 128 x 128 in pairs: of 457 such shapes they are chosen for 45, and the
/// 37 of these that were measured take 0.91 of the time (512x6144x4096 38.3 us, in 128 x 224 42.4; nn 1792x320x8640 in
/// three slices 24, in a cluster's three of 128 x 64 37.5).
struct tensor_core_128x192x64_2x1 : wide_in_cluster<tensor_core<block<128, 192, 64>, stages<4>, cluster<2>>> {};
/// 1480^3: 0.99, 0.92.
struct tensor_core_192x96x64_1x2 : wide_in_cluster<tensor_core<block<192, 96, 64>, stages<5>, cluster<1, 2>>> {};
struct tensor_core_128x128x64 : tensor_core<block<128, 128, 64>, stages<6>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.65, .overhead = 1.0e-6});
};
struct tensor_core_128x128x64_2x1 : tensor_core<block<128, 128, 64>, stages<6>, cluster<2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.65, .overhead = 1.5e-6});
};
/// Brings all of a C of 256 x 256 once, slice by slice.
struct tensor_core_128x128x64_2x2 : tensor_core<block<128, 128, 64>, stages<7>, cluster<2, 2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.55, .overhead = 1.9e-6});
};
struct tensor_core_128x64x64 : tensor_core<block<128, 64, 64>, stages<8>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.53, .overhead = 1.4e-6});
};
/// For a C of few tiles: of 479 shapes it is chosen for 28, and takes 0.90 of the time (nn 1112x792x2720 12.4 us, in 96
/// x 128 15.6; 320x3584x5120 20.3 and 24.2; 592^3 5.1, in 64 x 64 6.1; see bench/results/h200/few_tiles.csv).
struct tensor_core_80x128x64_4x1 : tensor_core<block<80, 128, 64>, stages<7>, cluster<4>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.68, .overhead = 0.6e-6, .lone = 1e-6});
};
/// 1208^3: 1.00, 0.97.
struct tensor_core_112x128x64_2x2 : tensor_core<block<112, 128, 64>, stages<6>, cluster<2, 2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.68, .overhead = 1.1e-6, .lone = 0.4e-6});
};
struct tensor_core_128x96x64 : tensor_core<block<128, 96, 64>, stages<7>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.6, .overhead = 1.0e-6});
};
/// 1080^3: 1.07, 1.00; and for a C of few tiles (256x6144x4096 23.5 us, in 128 x 96 24.4).
struct tensor_core_64x192x64_2x1 : tensor_core<block<64, 192, 64>, stages<6>, cluster<2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.6, .overhead = 1.3e-6});
};
/// Likewise (128x9216x4096 24.5 us, in 128 x 96 in clusters of four 25.8).
struct tensor_core_64x160x64_2x1 : tensor_core<block<64, 160, 64>, stages<6>, cluster<2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.56, .overhead = 1.9e-6});
};
/// Few rows in a wave of 128 blocks, without slices (128x6144x4096 17.2 us, in two slices of 128 x 96 18.3).
struct tensor_core_64x96x64_2x1 : tensor_core<block<64, 96, 64>, stages<10>, cluster<2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.45, .overhead = 1.4e-6});
};
struct tensor_core_64x160x64_4x1 : tensor_core<block<64, 160, 64>, stages<6>, cluster<4>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.5, .overhead = 1.3e-6});
};
struct tensor_core_64x128x64 : tensor_core<block<64, 128, 64>, stages<8>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.56, .overhead = 1.6e-6});
};
struct tensor_core_64x64x64 : tensor_core<block<64, 64, 64>, stages<6>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.34, .efficiency_alone = 0.26, .overhead = 1.2e-6});
};

/// The candidates for nn with a C of 2-byte elements: tiles of 144 columns would begin within lines of B, and each of
/// their lines be brought in two pieces, so that they have 144 rows instead (an H200: nn 2304^3 in 128 x 168 takes 59.4
/// us, in 168 x 128 34.8; 1536^3 in 128 x 144 16.0, in 144 x 128 12.5). Of cuBLAS's best, and in the next best: 2304^3
/// 1.16 in 168 x 128, 1.07; 2256^3 1.01 in 208 x 192, 0.92; 2800^3 1.02 in 240 x 128, 0.96; 5000x1000x2000 1.01 in 160
/// x 256, 0.87; 1160^3 1.06 in 112 x 128, 0.96; 384x3584x3584 0.94 in 96 x 128, 0.86; 128x18944x3584 0.87 in 64 x 192,
/// 0.76. 160 x 128 and 176 x 128 in clusters won at 1560^3 alone (1.07, 1.02).
struct tensor_core_ping_pong_144x128x64 : tensor_core_ping_pong<block<144, 128, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.85e-6, .lone = 0.4e-6});
};
struct tensor_core_ping_pong_160x128x64 : tensor_core_ping_pong<block<160, 128, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.9e-6, .lone = 0.4e-6});
};
struct tensor_core_ping_pong_168x128x64 : tensor_core_ping_pong<block<168, 128, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.93e-6, .lone = 0.4e-6});
};
struct tensor_core_ping_pong_176x128x64 : tensor_core_ping_pong<block<176, 128, 64>, stages<4>> {
  static constexpr kernel_info info =
      tensor_core_ping_pong::info.with({.efficiency = 0.75, .overhead = 0.85e-6, .lone = 0.4e-6});
};
struct tensor_core_208x192x64_1x2 : wide_in_cluster<tensor_core<block<208, 192, 64>, stages<4>, cluster<1, 2>>> {};
struct tensor_core_176x192x64_2x1 : wide_in_cluster<tensor_core<block<176, 192, 64>, stages<4>, cluster<2>>> {};
struct tensor_core_240x128x64_1x2 : wide_in_cluster<tensor_core<block<240, 128, 64>, stages<4>, cluster<1, 2>>> {};
/// lone: 480^3 takes 5.3 us, 560^3 5.6, where 5.0 and 5.3 would be without.
struct tensor_core_96x128x64_1x4 : tensor_core<block<96, 128, 64>, stages<7>, cluster<1, 4>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.68, .overhead = 1.1e-6, .lone = 0.3e-6});
};
struct tensor_core_64x128x64_2x1 : tensor_core<block<64, 128, 64>, stages<8>, cluster<2>> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.53, .overhead = 1.4e-6});
};
struct tensor_core_96x192x64_2x1 : wide_in_cluster<tensor_core<block<96, 192, 64>, stages<5>, cluster<2>>> {};

/// The same for few rows or columns. What the efficiency stands for is how fast a block's tiles come: 77 GB/s for one
/// whose ring has 100 KB, 90 for a multiprocessor.
struct tensor_core_32x64x64 : tensor_core<block<32, 64, 64>, stages<8>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.236, .efficiency_alone = 0.2, .overhead = 0.8e-6});
};
struct tensor_core_16x64x64 : tensor_core<block<16, 64, 64>, stages<10>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.143, .efficiency_alone = 0.119, .overhead = 0.8e-6});
};
struct tensor_core_64x32x64 : tensor_core<block<64, 32, 64>, stages<8>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.236, .efficiency_alone = 0.2, .overhead = 0.8e-6});
};
struct tensor_core_64x16x64 : tensor_core<block<64, 16, 64>, stages<10>> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.143, .efficiency_alone = 0.119, .overhead = 0.8e-6});
};

/// The candidates for tf32, whose efficiency is that part of half's peak, too: twice as much is theirs.
struct tensor_core_ping_pong_tf32_128x128x32 : tensor_core_ping_pong<block<128, 128, 32>, stages<6>, cluster<1>, tf32> {
  static constexpr kernel_info info = tensor_core_ping_pong::info.with({.efficiency = 0.39, .overhead = 0.6e-6});
};
struct tensor_core_tf32_128x256x32 : tensor_core<block<128, 256, 32>, stages<4>, cluster<1>, tf32> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.38, .overhead = 1.8e-6});
};
struct tensor_core_tf32_128x192x32 : tensor_core<block<128, 192, 32>, stages<5>, cluster<1>, tf32> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.37, .overhead = 1.1e-6});
};
struct tensor_core_tf32_128x128x32 : tensor_core<block<128, 128, 32>, stages<6>, cluster<1>, tf32> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.355, .overhead = 1.0e-6});
};
struct tensor_core_tf32_128x96x32 : tensor_core<block<128, 96, 32>, stages<7>, cluster<1>, tf32> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.3, .overhead = 1.0e-6});
};
struct tensor_core_tf32_64x128x32 : tensor_core<block<64, 128, 32>, stages<8>, cluster<1>, tf32> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.25, .overhead = 1.1e-6});
};
struct tensor_core_tf32_128x64x32 : tensor_core<block<128, 64, 32>, stages<8>, cluster<1>, tf32> {
  static constexpr kernel_info info = tensor_core::info.with({.efficiency = 0.245, .overhead = 1.0e-6});
};
struct tensor_core_tf32_64x64x32 : tensor_core<block<64, 64, 32>, stages<6>, cluster<1>, tf32> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.17, .efficiency_alone = 0.14, .overhead = 1.2e-6});
};
struct tensor_core_tf32_16x64x32 : tensor_core<block<16, 64, 32>, stages<10>, cluster<1>, tf32> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.072, .efficiency_alone = 0.06, .overhead = 0.8e-6});
};
struct tensor_core_tf32_64x16x32 : tensor_core<block<64, 16, 32>, stages<10>, cluster<1>, tf32> {
  static constexpr kernel_info info =
      tensor_core::info.with({.efficiency = 0.072, .efficiency_alone = 0.06, .overhead = 0.8e-6});
};

}  // namespace gemm
