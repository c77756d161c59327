// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies of wgmma, the tensor cores of sm_90a.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cstdint>

#include <gemm/kernel/sm90_wgmma.cuh>
#include <gemm/kernel/sm90_wgmma_ping_pong.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// @defgroup wgmma_policies Named policies: wgmma
/// The candidates of run() for half, bf16, tf32, int8 (s8) and fp8 on sm_90. A suffix 2x1 is the cluster, m x n.
///
///     ping-pong            fills the last wave
///     in clusters          operands that several blocks share, or whose rows are not aligned to 128 bytes
///     128x128x64_2x2       C of 256 x 256 with split-K: operands are loaded once
///     32 or 16 in a block  few rows or columns
///     64x80                17 to 64 rows: as many bytes of B for each multiprocessor where 10240 columns are 128 tiles
///     96, 160, 192 by 64,  96 to 192 rows in one tile: B is read once, and two blocks share A; 192x128 with split-K
///     80 or 128 in 1x2
///     promoted             1024 of k at a time in the tensor cores' accumulators: k above 65536
///     fp8_fast             all of k in the tensor cores' accumulators: by name alone
/// @{
struct sm90_wgmma_ping_pong_128x128x64 : sm90_wgmma_ping_pong<block<128, 128, 64>, stages<6>> {};
struct sm90_wgmma_ping_pong_128x128x64_1x2 : sm90_wgmma_ping_pong<block<128, 128, 64>, stages<6>, cluster<1, 2>> {};
struct sm90_wgmma_ping_pong_128x176x64 : sm90_wgmma_ping_pong<block<128, 176, 64>, stages<4>> {};
struct sm90_wgmma_128x224x64 : sm90_wgmma<block<128, 224, 64>, stages<4>> {};
struct sm90_wgmma_128x256x64_2x1 : sm90_wgmma<block<128, 256, 64>, stages<4>, cluster<2>> {};
struct sm90_wgmma_128x192x64_2x1 : sm90_wgmma<block<128, 192, 64>, stages<4>, cluster<2>> {};
struct sm90_wgmma_160x256x64_2x1 : sm90_wgmma<block<160, 256, 64>, stages<4>, cluster<2>> {};
struct sm90_wgmma_224x128x64_1x2 : sm90_wgmma<block<224, 128, 64>, stages<4>, cluster<1, 2>> {};
struct sm90_wgmma_192x96x64_1x2 : sm90_wgmma<block<192, 96, 64>, stages<5>, cluster<1, 2>> {};
struct sm90_wgmma_96x192x64_2x1 : sm90_wgmma<block<96, 192, 64>, stages<5>, cluster<2>> {};
struct sm90_wgmma_128x128x64_2x2 : sm90_wgmma<block<128, 128, 64>, stages<7>, cluster<2, 2>> {};
struct sm90_wgmma_128x64x64 : sm90_wgmma<block<128, 64, 64>, stages<8>> {};
struct sm90_wgmma_80x128x64_4x1 : sm90_wgmma<block<80, 128, 64>, stages<7>, cluster<4>> {};
struct sm90_wgmma_64x192x64_2x1 : sm90_wgmma<block<64, 192, 64>, stages<6>, cluster<2>> {};
struct sm90_wgmma_64x96x64_2x1 : sm90_wgmma<block<64, 96, 64>, stages<10>, cluster<2>> {};
struct sm90_wgmma_64x160x64_4x1 : sm90_wgmma<block<64, 160, 64>, stages<6>, cluster<4>> {};
struct sm90_wgmma_64x128x64 : sm90_wgmma<block<64, 128, 64>, stages<8>> {};
struct sm90_wgmma_64x64x64 : sm90_wgmma<block<64, 64, 64>, stages<6>> {};
struct sm90_wgmma_64x80x64 : sm90_wgmma<block<64, 80, 64>, stages<11>> {};
struct sm90_wgmma_96x64x64_1x2 : sm90_wgmma<block<96, 64, 64>, stages<8>, cluster<1, 2>> {};
struct sm90_wgmma_160x128x64_1x2 : sm90_wgmma<block<160, 128, 64>, stages<5>, cluster<1, 2>> {};
struct sm90_wgmma_192x128x64_1x2 : sm90_wgmma<block<192, 128, 64>, stages<5>, cluster<1, 2>> {};
/// Promoted to float registers, for a long k of terms of one sign.
struct sm90_wgmma_promoted_128x128x64
    : sm90_wgmma<block<128, 128, 64>, stages<6>, cluster<1>, half_or_bf16, promote<1024>> {};
struct sm90_wgmma_promoted_128x192x64_2x1
    : sm90_wgmma<block<128, 192, 64>, stages<4>, cluster<2>, half_or_bf16, promote<1024>> {};
/// And for slices that batch_invariant has one block add.
struct sm90_wgmma_promoted_128x64x64
    : sm90_wgmma<block<128, 64, 64>, stages<8>, cluster<1>, half_or_bf16, promote<1024>> {};

struct sm90_wgmma_32x64x64 : sm90_wgmma<block<32, 64, 64>, stages<8>> {};
struct sm90_wgmma_16x64x64 : sm90_wgmma<block<16, 64, 64>, stages<10>> {};
struct sm90_wgmma_64x32x64 : sm90_wgmma<block<64, 32, 64>, stages<8>> {};
struct sm90_wgmma_64x16x64 : sm90_wgmma<block<64, 16, 64>, stages<10>> {};

struct sm90_wgmma_ping_pong_tf32_128x128x32 : sm90_wgmma_ping_pong<block<128, 128, 32>, stages<6>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_128x256x32 : sm90_wgmma<block<128, 256, 32>, stages<4>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_128x192x32 : sm90_wgmma<block<128, 192, 32>, stages<5>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_128x96x32 : sm90_wgmma<block<128, 96, 32>, stages<7>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_64x128x32 : sm90_wgmma<block<64, 128, 32>, stages<8>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_128x64x32 : sm90_wgmma<block<128, 64, 32>, stages<8>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_64x64x32 : sm90_wgmma<block<64, 64, 32>, stages<6>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_16x64x32 : sm90_wgmma<block<16, 64, 32>, stages<10>, cluster<1>, tf32> {};
struct sm90_wgmma_tf32_64x16x32 : sm90_wgmma<block<64, 16, 32>, stages<10>, cluster<1>, tf32> {};

struct sm90_wgmma_s8_128x256x128_2x1 : sm90_wgmma<block<128, 256, 128>, stages<4>, cluster<2>, std::int8_t> {};
struct sm90_wgmma_ping_pong_s8_128x128x128
    : sm90_wgmma_ping_pong<block<128, 128, 128>, stages<6>, cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_128x128x128 : sm90_wgmma<block<128, 128, 128>, stages<6>, cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_64x64x128 : sm90_wgmma<block<64, 64, 128>, stages<6>, cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_32x64x128 : sm90_wgmma<block<32, 64, 128>, stages<8>, cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_16x64x128 : sm90_wgmma<block<16, 64, 128>, stages<10>, cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_64x16x128 : sm90_wgmma<block<64, 16, 128>, stages<10>, cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_128x64x128_1x4 : sm90_wgmma<block<128, 64, 128>, stages<8>, cluster<1, 4>, std::int8_t> {};
struct sm90_wgmma_s8_64x80x128 : sm90_wgmma<block<64, 80, 128>, stages<11>, cluster<1>, std::int8_t> {};
struct sm90_wgmma_s8_128x80x128_1x2 : sm90_wgmma<block<128, 80, 128>, stages<6>, cluster<1, 2>, std::int8_t> {};
struct sm90_wgmma_s8_192x80x128_1x2 : sm90_wgmma<block<192, 80, 128>, stages<5>, cluster<1, 2>, std::int8_t> {};
struct sm90_wgmma_s8_192x128x128_1x2 : sm90_wgmma<block<192, 128, 128>, stages<5>, cluster<1, 2>, std::int8_t> {};

struct sm90_wgmma_fp8_128x256x128_2x1 : sm90_wgmma<block<128, 256, 128>, stages<4>, cluster<2>, fp8, promote<128, 2>> {
};
struct sm90_wgmma_fp8_128x192x128_2x1 : sm90_wgmma<block<128, 192, 128>, stages<4>, cluster<2>, fp8> {};
struct sm90_wgmma_fp8_128x160x128 : sm90_wgmma<block<128, 160, 128>, stages<5>, cluster<1>, fp8> {};
struct sm90_wgmma_fp8_128x128x128 : sm90_wgmma<block<128, 128, 128>, stages<6>, cluster<1>, fp8> {};
struct sm90_wgmma_fp8_64x64x128 : sm90_wgmma<block<64, 64, 128>, stages<6>, cluster<1>, fp8> {};
struct sm90_wgmma_fp8_32x64x128 : sm90_wgmma<block<32, 64, 128>, stages<8>, cluster<1>, fp8> {};
struct sm90_wgmma_fp8_16x64x128 : sm90_wgmma<block<16, 64, 128>, stages<10>, cluster<1>, fp8> {};
struct sm90_wgmma_fp8_64x16x128 : sm90_wgmma<block<64, 16, 128>, stages<10>, cluster<1>, fp8> {};
struct sm90_wgmma_fp8_64x80x128 : sm90_wgmma<block<64, 80, 128>, stages<11>, cluster<1>, fp8> {};
struct sm90_wgmma_fp8_128x80x128_1x2 : sm90_wgmma<block<128, 80, 128>, stages<6>, cluster<1, 2>, fp8> {};
struct sm90_wgmma_fp8_96x64x128_1x2 : sm90_wgmma<block<96, 64, 128>, stages<8>, cluster<1, 2>, fp8> {};
struct sm90_wgmma_fp8_96x128x128_1x2 : sm90_wgmma<block<96, 128, 128>, stages<6>, cluster<1, 2>, fp8> {};
struct sm90_wgmma_fp8_160x128x128_1x2 : sm90_wgmma<block<160, 128, 128>, stages<5>, cluster<1, 2>, fp8> {};
/// With all of k in the tensor cores' accumulators: who accepts their error names them.
struct sm90_wgmma_fp8_fast_128x256x128_2x1
    : sm90_wgmma<block<128, 256, 128>, stages<4>, cluster<2>, fp8_fast_accumulation> {};
struct sm90_wgmma_ping_pong_fp8_fast_128x128x128
    : sm90_wgmma_ping_pong<block<128, 128, 128>, stages<6>, cluster<1>, fp8_fast_accumulation> {};
/// @}

}  // namespace gemm
