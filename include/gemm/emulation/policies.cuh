// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies that multiply floats in terms on tensor cores, as policies.cuh has the others.
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

/// Float in, float out, by the products of halves, the same with compensated sums, and for lines of a wide range. The
/// first three are candidates of fp32_emulated, as `checked`.
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

/// For small C: split-K in a cluster, accumulators promoted every 16 k; a candidate likewise.
struct fp16x3_sliced_128x128x64 : fp16x3_sliced<block<128, 128, 64>, stages<6>> {};

/// The same by products of bf16.
struct bf16x6_128x128x64_2x1 : bf16x6<block<128, 128, 64>, stages<6>, cluster<2>> {};

/// And by mma.sync, for GPUs without wgmma: its ring fits 99 KiB.
struct bf16x6_mma_128x128x64 : bf16x6_mma<block<128, 128, 64>, stages<2>> {};

}  // namespace gemm
