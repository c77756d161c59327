// SPDX-License-Identifier: BSL-1.0
//! @file
//! The named policies of mma.sync, tensor cores of every GPU from sm_80 on; see policies.cuh.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cstdint>

#include <gemm/kernel/warp_mma.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// The rung.
struct warp_mma_128x128x32 : warp_mma<block<128, 128, 32>, warp<64, 32>> {};
struct warp_mma_tf32_128x128x16 : warp_mma<block<128, 128, 16>, warp<64, 32>, tf32> {};
struct warp_mma_s8_128x128x32 : warp_mma<block<128, 128, 32>, warp<64, 32>, std::int8_t> {};
struct warp_mma_f64_64x64x8 : warp_mma<block<64, 64, 8>, warp<32, 32>, double> {};

}  // namespace gemm
