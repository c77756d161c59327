// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies of float on tensor cores, as sums of 16-bit terms.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/emulation/bf16x6.cuh>
#include <gemm/emulation/bf16x6_mma.cuh>
#include <gemm/emulation/equilibrated.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/fp16x3_sliced.cuh>
#include <gemm/emulation/with_fallback.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// @defgroup emulation_policies Named policies: float on tensor cores
/// Float in, float out. choose/kernel_table.hpp says which are candidates of fp32_emulated, as `with_fallback`.
///
///     fp16x3              three products of halves
///     fp16x3_compensated  the same with compensated accumulation, for a long k
///     fp16x3_wide         the same for rows and columns whose elements have a wide range
///     fp16x3_sliced       for small C: split-K in a cluster, accumulators promoted every 16 k
///     bf16x6              six products of bf16, for any range
/// @{
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

struct fp16x3_sliced_128x128x64 : fp16x3_sliced<block<128, 128, 64>, stages<6>> {};

struct bf16x6_128x128x64_2x1 : bf16x6<block<128, 128, 64>, stages<6>, cluster<2>> {};
/// @}

/// And by mma.sync, for GPUs without wgmma: its ring fits 99 KiB.
struct bf16x6_mma_128x128x64 : bf16x6_mma<block<128, 128, 64>, stages<2>> {};

}  // namespace gemm
