// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies that multiply floats in parts on tensor cores, as policies.cuh has the others.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/emulation/bf16x6.cuh>
#include <gemm/emulation/equilibrated.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/fp16x3_sliced.cuh>
#include <gemm/emulation/with_fallback.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// Float in, float out, by the products of halves, the same with compensated sums, and for lines of a wide range. The
/// first three are candidates of fp32_emulated, as `checked`. All passes, nt on an H200 that has come to its power
/// limit, those of a wide range the last two, and cublasSgemm beside them: 8192^3 in 5.26, 5.42, 5.87, 6.35, 5.45,
/// 5.84 and 21.5 ms; 4096^3 in 731, 735, 830, 824, 790, 795 and 2735 us.
///
/// Lost, without the passes, 8192^3 in tiles of 128 x 192: clusters of 2 x 2 and 4 x 1, of which the device holds 30,
/// in 5.29 and 5.11 ms, pairs in 4.90, single blocks in 4.98. And tiles of 128 x 208, for which registers do not
/// suffice: 8192^3 in 5.04 ms, 4096^3 in 639 us, 128 x 192 with narrow ones in 636. And high parts of A in registers,
/// which two products need, for less to be read of shared memory: 4096^3 in 630 us, beside it 619 without; bands of
/// 1024 or 4096 rows of C, 621 and 627.
struct fp16x3_128x192x64_2x1 : fp16x3<block<128, 192, 64>, stages<5>, cluster<2>> {};
struct fp16x3_128x128x64_2x1 : fp16x3<block<128, 128, 64>, stages<6>, cluster<2>> {};
struct fp16x3_compensated_128x192x64_2x1 : fp16x3<block<128, 192, 64>, stages<5>, cluster<2>> {
  static constexpr bool compensated = true;
};
struct fp16x3_compensated_128x128x64_2x1 : fp16x3<block<128, 128, 64>, stages<6>, cluster<2>> {
  static constexpr bool compensated = true;
};
struct fp16x3_wide_128x192x64_2x1 : fp16x3<block<128, 192, 64>, stages<5>, cluster<2>, low_scale<11>> {};
struct fp16x3_wide_128x128x64_2x1 : fp16x3<block<128, 128, 64>, stages<6>, cluster<2>, low_scale<11>> {};

/// Where C is small, k cut and 16 k summed at a time; a candidate likewise. Beside fp16x3_128x128x64_2x1, float's
/// kernels and cublasSgemm, nt on an H200: 512x512x4096 in 34, 49, 53 and 57 us, 1024^3 in 26, 22, 49 and 58.
struct fp16x3_sliced_128x128x64 : fp16x3_sliced<block<128, 128, 64>, stages<6>> {};

/// The same by products of bf16.
struct bf16x6_128x128x64_2x1 : bf16x6<block<128, 128, 64>, stages<6>, cluster<2>> {};

}  // namespace gemm
