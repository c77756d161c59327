// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rates of an NVIDIA H200; CUDA 13.0, 2026-11-29.
//! Written by gemm_calibrate, of 20074 times of candidates for 659 products; do not edit.
//! Not known: from these measurements. Such a rate is about what it began with.
//! Kept from an earlier run: double e4m3 int8.
#pragma once

#include <gemm/tables/rates.hpp>

// clang-format off
namespace gemm::tables {

inline constexpr policy_rates nvidia_h200_policies[] = {
    // Not known: full, fixed.
    {"sm80_mma_128x128x32", "bfloat16", 1.08, 4.8e-07, 9.87e-07,
     {0.999, 1.07, 1, 1}, {5.46e-06, 1.31e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.29e-06}},
    {"sm80_mma_64x64x64", "bfloat16", 0.6183, 4.25e-07, 7.8e-07,
     {0.98, 0.978, 1, 1}, {2.47e-06, 4.55e-06, 4.59e-06, 1.5e-06, 4e-06, 4e-06, 2.16e-06}},
    // Not known: full.
    {"sm90_wgmma_128x128x64_2x2", "bfloat16", 0.911, 2.43e-07, 1.24e-06,
     {0.99, 0.985, 1, 1}, {2.04e-06, 4.34e-06, 4.55e-06, 1.5e-06, 4e-06, 4e-06, 2e-06}},
    // Not known: step.
    {"sm90_wgmma_128x192x64_2x1", "bfloat16", 0.914, 3.51e-07, 1.46e-06,
     {0.969, 1, 1, 1}, {1.4e-06, 4.49e-06, 4.73e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_128x224x64", "bfloat16", 0.947, 3.95e-07, 1.61e-06,
     {1.03, 1, 1, 1}, {1.52e-06, 4.56e-06, 4.82e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_128x256x64_2x1", "bfloat16", 0.913, 4.76e-07, 1.49e-06,
     {1, 1, 1, 1}, {1.63e-06, 4.64e-06, 4.91e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_128x64x64", "bfloat16", 0.783, 2.1e-07, 9.14e-07,
     {0.952, 1, 0.952, 1}, {1.73e-06, 4.2e-06, 4.38e-06, 4.23e-06, 3.57e-06, 3.56e-06, 1.5e-06}},
    // Not known: full, step, store[1], store[2].
    {"sm90_wgmma_160x256x64_2x1", "bfloat16", 0.903, 5.95e-07, 1.05e-06,
     {1.05, 1, 1, 1}, {2.4e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_16x64x64", "bfloat16", 0.78, 1.22e-07, 5.35e-07,
     {1.05, 1, 1.15, 1}, {8.45e-07, 1.54e-06, 2.08e-06, 2.12e-06, 2.14e-06, 2.08e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x128x64", "bfloat16", 0.8, 1.64e-07, 1e-06,
     {1.03, 1.01, 1, 1}, {1.73e-06, 4.2e-06, 4.38e-06, 1.5e-06, 4e-06, 4e-06, 1.43e-06}},
    // Not known: full.
    {"sm90_wgmma_64x16x64", "bfloat16", 0.78, 1.37e-07, 6.07e-07,
     {0.994, 1, 0.996, 1}, {8.45e-07, 1.04e-06, 9.76e-07, 2.12e-06, 2.14e-06, 2.08e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x192x64_2x1", "bfloat16", 0.823, 2.19e-07, 1.25e-06,
     {0.952, 1, 1, 1}, {1.05e-06, 4.27e-06, 4.47e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[2].
    {"sm90_wgmma_64x32x64", "bfloat16", 0.78, 1.31e-07, 9.03e-07,
     {1, 1, 1, 1}, {8.69e-07, 1.12e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_64x64x64", "bfloat16", 0.443, 1.69e-07, 7.2e-07,
     {1.01, 1.02, 1.01, 1}, {1.58e-06, 4.12e-06, 4.29e-06, 3.5e-06, 3.22e-06, 3.25e-06, 1.15e-06}},
    // Not known: full.
    {"sm90_wgmma_64x96x64_2x1", "bfloat16", 0.783, 1.55e-07, 1e-06,
     {0.952, 1, 1, 1}, {1.66e-06, 4.16e-06, 4.33e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_80x128x64_4x1", "bfloat16", 0.812, 1.91e-07, 1.37e-06,
     {1.04, 1, 1, 1}, {7.89e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_96x192x64_2x1", "bfloat16", 0.888, 2.78e-07, 1.33e-06,
     {0.952, 1, 1, 1}, {1.22e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_ping_pong_128x128x64_1x2", "bfloat16", 0.921, 2.35e-07, 1.49e-06,
     {1.04, 1, 1, 1}, {7.74e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_ping_pong_128x176x64", "bfloat16", 0.959, 3.06e-07, 1.94e-06,
     {1.08, 1, 1, 1}, {9.12e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_32x64x32", "double", 0.508, 8.1e-07, 4.15e-07,
     {1.15, 1.06, 1, 1}, {9.29e-07, 4e-06, 4.95e-07, 1.5e-06, 4e-06, 4e-06, 8.58e-07}},
    {"skinny_1x32x512", "double", 0.78, 2.21e-07, 1.36e-06,
     {1.08, 1, 1, 1}, {1.08e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm80_mma_f64_128x128x16", "double", 0.884, 9.93e-07, 6.64e-07,
     {0.923, 1, 1, 1}, {5.77e-06, 4e-06, 8.52e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm80_mma_f64_128x64x16", "double", 0.957, 4.45e-07, 1.45e-06,
     {0.942, 1.09, 1, 1}, {3.36e-06, 4e-06, 5.33e-06, 1.5e-06, 4e-06, 4e-06, 2.05e-06}},
    {"sm80_mma_f64_64x128x16", "double", 0.905, 6.56e-07, 1.74e-06,
     {0.983, 0.918, 1, 1}, {3.36e-06, 4e-06, 5.33e-06, 1.5e-06, 4e-06, 4e-06, 2.05e-06}},
    {"sm80_mma_f64_64x64x16", "double", 0.979, 4.04e-07, 1.64e-06,
     {0.918, 1.12, 1, 1}, {2.16e-06, 4e-06, 3.74e-06, 1.5e-06, 4e-06, 4e-06, 1.22e-06}},
    {"sm80_mma_fp8_128x128x64", "e4m3", 2.6, 7.53e-07, 9.46e-07,
     {0.996, 1, 1, 1}, {4.14e-06, 8.76e-06, 7.41e-06, 1.5e-06, 4e-06, 4e-06, 3.33e-06}},
    {"sm80_mma_fp8_64x64x128", "e4m3", 2.597, 6.88e-07, 8.14e-07,
     {0.988, 1.08, 1, 1}, {2.48e-06, 4.56e-06, 4.19e-06, 1.5e-06, 4e-06, 4e-06, 2.44e-06}},
    {"sm90_wgmma_fp8_128x128x128", "e4m3", 0.893, 2.52e-07, 1.51e-06,
     {0.99, 1.02, 1, 1}, {1.85e-06, 4.23e-06, 4.24e-06, 1.5e-06, 4e-06, 4e-06, 1.87e-06}},
    {"sm90_wgmma_fp8_128x160x128", "e4m3", 0.92, 2.99e-07, 1.36e-06,
     {0.992, 1, 1, 1}, {1.26e-06, 4.4e-06, 4.42e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_128x176x128_2x1", "e4m3", 0.872, 3.51e-07, 1.14e-06,
     {0.988, 1, 1, 1}, {1.33e-06, 4.48e-06, 4.5e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_128x192x128_2x1", "e4m3", 0.879, 3.77e-07, 1.11e-06,
     {0.978, 1, 1, 1}, {1.4e-06, 4.56e-06, 4.59e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_128x256x128_1x2", "e4m3", 0.849, 5.35e-07, 9.92e-07,
     {0.989, 1, 1, 1}, {1.67e-06, 4.89e-06, 4.94e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_128x256x128_2x1", "e4m3", 0.834, 5.55e-07, 1.03e-06,
     {1.01, 1, 1, 1}, {1.67e-06, 4.89e-06, 4.94e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_128x64x128_1x4", "e4m3", 0.785, 2.19e-07, 1.17e-06,
     {0.978, 1, 1, 1}, {1.44e-06, 3.9e-06, 3.9e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_16x64x128", "e4m3", 0.78, 1.03e-07, 4.74e-07,
     {1.08, 1, 1.1, 1}, {1.12e-06, 1.74e-06, 1.83e-06, 2.28e-06, 2.36e-06, 2.33e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_64x16x128", "e4m3", 0.78, 1.25e-07, 4.65e-07,
     {1, 1, 0.98, 1}, {1.12e-06, 1.21e-06, 1.15e-06, 2.28e-06, 2.36e-06, 2.33e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_64x64x128", "e4m3", 0.582, 1.71e-07, 9.71e-07,
     {1.02, 1.02, 0.978, 1}, {1.23e-06, 3.74e-06, 3.72e-06, 3.43e-06, 3e-06, 3.05e-06, 1.14e-06}},
    {"sm90_wgmma_fp8_64x64x128_2x1", "e4m3", 0.742, 1.86e-07, 9.94e-07,
     {0.978, 1, 1, 1}, {1.23e-06, 3.74e-06, 3.72e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_128x64x32", "float", 0.767, 1.47e-06, 1.33e-06,
     {0.95, 1, 1, 1}, {2.93e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_64x64x32", "float", 0.67, 9.82e-07, 1.48e-06,
     {0.943, 1, 1, 1}, {2.1e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_128x32x16", "float", 0.629, 3.43e-07, 6.67e-07,
     {1.03, 1.03, 1, 1}, {8.97e-07, 7.52e-07, 7.12e-07, 1.5e-06, 4e-06, 4e-06, 7.65e-07}},
    {"pipelined_128x64x16", "float", 0.736, 5.35e-07, 1.12e-06,
     {1.01, 0.995, 1, 1}, {1.36e-06, 9.59e-07, 9.09e-07, 1.5e-06, 4e-06, 4e-06, 9.17e-07}},
    {"pipelined_32x64x32", "float", 0.529, 5.2e-07, 6.4e-07,
     {0.961, 1.02, 1, 1}, {6.67e-07, 6.49e-07, 6.13e-07, 1.5e-06, 4e-06, 4e-06, 6.9e-07}},
    {"pipelined_48x128x16", "float", 0.705, 4.96e-07, 7.8e-07,
     {1.13, 0.966, 1, 1}, {1.13e-06, 8.56e-07, 8.1e-07, 1.5e-06, 4e-06, 4e-06, 8.41e-07}},
    // Not known: full, store[0], store[1].
    {"skinny_128x1x64", "float", 0.78, 5.97e-07, 1.02e-06,
     {0.943, 1.01, 1, 1}, {1.5e-06, 4e-06, 1.86e-06, 1.5e-06, 4e-06, 4e-06, 9.7e-07}},
    // Not known: full.
    {"skinny_1x128x64", "float", 0.78, 5.81e-07, 7.92e-07,
     {0.996, 0.97, 1, 1}, {9.43e-07, 8.51e-07, 1.86e-06, 1.5e-06, 4e-06, 4e-06, 9.7e-07}},
    // Not known: full, step.
    {"skinny_1x32x512", "float", 0.777, 1.41e-07, 1.81e-06,
     {1.11, 1, 1, 1}, {9.37e-07, 8.43e-07, 1.85e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1].
    {"skinny_4x128x32", "float", 0.779, 3.22e-07, 1.23e-06,
     {1, 1, 1, 1}, {9.65e-07, 4e-06, 1.88e-06, 1.5e-06, 4e-06, 4e-06, 9.98e-07}},
    // Not known: full.
    {"skinny_64x8x64", "float", 0.778, 7.99e-07, 8.51e-07,
     {1, 1.01, 1, 1}, {9.65e-07, 8.8e-07, 1.88e-06, 1.5e-06, 4e-06, 4e-06, 9.98e-07}},
    // Not known: full, store[1], store[2].
    {"skinny_8x64x64", "float", 0.767, 8.67e-07, 1.04e-06,
     {0.991, 0.995, 1, 1}, {9.65e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 9.98e-07}},
    // Not known: full, step, store[1].
    {"small_16x16x16", "float", 0.665, 1.91e-07, 8.69e-07,
     {1, 1, 1, 1}, {8.21e-07, 4e-06, 2.25e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"small_32x32x32", "float", 0.844, 7.05e-07, 9.63e-07,
     {1.14, 1, 1, 1}, {9.05e-07, 4e-06, 2.54e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: fixed.
    {"sm90_simt_tma_128x128x32", "float", 0.841, 2.01e-06, 8.54e-07,
     {0.975, 1, 1, 0.997}, {3.58e-06, 3.18e-06, 3.35e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_simt_tma_128x16x32", "float", 0.724, 3.24e-07, 6.27e-07,
     {0.999, 0.99, 1, 1}, {2.19e-06, 2.15e-06, 2.02e-06, 1.5e-06, 4e-06, 4e-06, 2.28e-06}},
    // Not known: full.
    {"sm90_simt_tma_128x64x32", "float", 0.86, 9.43e-07, 1.09e-06,
     {1.02, 1, 1, 1.02}, {2.79e-06, 2.59e-06, 2.59e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_simt_tma_16x64x32", "float", 0.78, 2.28e-07, 4.44e-07,
     {0.943, 0.968, 0.943, 1}, {2.1e-06, 2.07e-06, 1.93e-06, 3.12e-06, 3.04e-06, 3.01e-06, 2.16e-06}},
    {"sm90_simt_tma_64x64x32", "float", 0.791, 5.25e-07, 1.23e-06,
     {1.02, 1, 1.02, 1}, {2.39e-06, 2.29e-06, 2.21e-06, 3.93e-06, 3.57e-06, 3.24e-06, 1.5e-06}},
    {"skinny_1x32x512", "int8", 0.773, 2.25e-07, 1.13e-06,
     {1.01, 1, 1, 1}, {1.23e-06, 1.72e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm80_mma_s8_128x128x64", "int8", 1.032, 4.59e-07, 1.18e-06,
     {0.939, 1.05, 1, 1}, {5.19e-06, 1.23e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.04e-06}},
    {"sm80_mma_s8_64x64x128", "int8", 0.6783, 4.21e-07, 7.86e-07,
     {0.939, 0.968, 1, 1}, {2.54e-06, 4.42e-06, 4.39e-06, 1.5e-06, 4e-06, 4e-06, 2.09e-06}},
    {"sm90_wgmma_ping_pong_s8_128x128x128", "int8", 1, 1.66e-07, 1.3e-06,
     {1.03, 1, 1, 1}, {1.48e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_s8_128x256x128_2x1", "int8", 0.943, 4.07e-07, 9.05e-07,
     {1.04, 1, 1, 1}, {2.96e-06, 5.28e-06, 6.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_s8_128x64x128_1x4", "int8", 0.792, 1.74e-07, 9.33e-07,
     {0.939, 1, 1, 1}, {1.59e-06, 4.27e-06, 4.78e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_s8_16x64x128", "int8", 0.776, 1.06e-07, 4.86e-07,
     {1.09, 1, 1.14, 1}, {1.01e-06, 1.54e-06, 1.66e-06, 2.22e-06, 2.26e-06, 2.25e-06, 1.5e-06}},
    {"sm90_wgmma_s8_64x16x128", "int8", 0.78, 1.31e-07, 3.88e-07,
     {1, 1, 0.98, 1}, {1.01e-06, 1.08e-06, 1.16e-06, 2.22e-06, 2.26e-06, 2.25e-06, 1.5e-06}},
    {"sm90_wgmma_s8_64x64x128", "int8", 0.496, 1.45e-07, 6.06e-07,
     {0.995, 0.999, 0.957, 1}, {1.54e-06, 4.1e-06, 4.49e-06, 3.49e-06, 2.99e-06, 3.11e-06, 1.06e-06}},
    {"sm80_mma_tf32_128x128x16", "tf32", 0.9117, 4.74e-07, 1.14e-06,
     {0.988, 1.06, 1, 1}, {5.74e-06, 1.16e-05, 1.12e-05, 1.5e-06, 4e-06, 4e-06, 3.28e-06}},
    {"sm80_mma_tf32_64x64x32", "tf32", 0.6067, 4.45e-07, 7.68e-07,
     {0.935, 0.978, 1, 1}, {2.84e-06, 4.33e-06, 4.18e-06, 1.5e-06, 4e-06, 4e-06, 2.33e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_ping_pong_tf32_128x128x32", "tf32", 1, 1.86e-07, 1.12e-06,
     {1.07, 1, 1, 1}, {2.04e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_tf32_128x192x32", "tf32", 0.996, 2.85e-07, 6.04e-07,
     {1.09, 1, 1, 1}, {4.34e-06, 4.67e-06, 6.41e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_tf32_128x256x32", "tf32", 0.985, 3.86e-07, 7.47e-07,
     {1.04, 1.07, 1, 1}, {5.34e-06, 5.3e-06, 7.2e-06, 1.5e-06, 4e-06, 4e-06, 3.88e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_128x64x32", "tf32", 0.788, 2.04e-07, 4.82e-07,
     {0.919, 1, 0.919, 1}, {2.35e-06, 3.4e-06, 4.83e-06, 4.56e-06, 3.82e-06, 3.79e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_128x96x32", "tf32", 0.848, 1.96e-07, 4.28e-07,
     {0.95, 1, 0.966, 1}, {2.84e-06, 3.72e-06, 5.23e-06, 5.76e-06, 4.6e-06, 4.45e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_16x64x32", "tf32", 0.78, 9.58e-08, 8.35e-07,
     {1.03, 1, 1, 1}, {1.25e-06, 1.25e-06, 3.23e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_64x128x32", "tf32", 0.804, 1.6e-07, 7.79e-07,
     {1.09, 1.09, 1, 1}, {2.35e-06, 3.4e-06, 4.83e-06, 1.5e-06, 4e-06, 4e-06, 1.58e-06}},
    // Not known: full, fixed.
    {"sm90_wgmma_tf32_64x16x32", "tf32", 0.78, 1.59e-07, 5.91e-07,
     {0.999, 1, 0.996, 1}, {1.25e-06, 8.76e-07, 8.21e-07, 1.95e-06, 1.76e-06, 2.43e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_64x64x32", "tf32", 0.4, 1.41e-07, 7.35e-07,
     {1.01, 0.992, 0.991, 1}, {1.85e-06, 3.09e-06, 4.44e-06, 3.37e-06, 3.03e-06, 3.13e-06, 1.19e-06}},
};

inline constexpr device_rates nvidia_h200_device[] = {
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks.
    {.input = "bfloat16", .launch = 3.83e-07, .norm = 2.6, .step_norm = 6.56, .reached = 0.952,
     .cache_lines = 1.49e+11, .split_cache_line = 1.3, .shared = 0.142, .second_kernel = 1.55e-06,
     .second_slice = 9.65e-09, .slice_bandwidth = 2.79e+12, .cluster = 1.5e-08, .cluster_slice = 1.72e-08,
     .last_blocks = 3e-06, .packing = 1.24e-06, .packing_bandwidth = 3.31e+12, .narrow_packing = 4.09e-07,
     .narrow_copy = 5.67e-11, .element_copy = 1.61e-10},
    {.input = "double", .launch = 4.14e-07, .norm = 2.62, .step_norm = 7.18, .reached = 0.918,
     .cache_lines = 1.26e+11, .split_cache_line = 0.468, .shared = 0.165, .second_kernel = 1.68e-06,
     .second_slice = 9.88e-09, .slice_bandwidth = 3.41e+12, .cluster = 3e-07, .cluster_slice = 1e-07,
     .last_blocks = 3e-06, .packing = 2.81e-06, .packing_bandwidth = 4.18e+12, .narrow_packing = 7.66e-07,
     .narrow_copy = 1.05e-10, .element_copy = 8e-11},
    {.input = "e4m3", .launch = 3.51e-07, .norm = 1.9, .step_norm = 7.13, .reached = 0.978, .cache_lines = 1.38e+11,
     .split_cache_line = 1.01, .shared = 0.19, .second_kernel = 1.37e-06, .second_slice = 8.75e-09,
     .slice_bandwidth = 2.97e+12, .cluster = 3.38e-08, .cluster_slice = 1.77e-08, .last_blocks = 3e-06,
     .packing = 1.71e-06, .packing_bandwidth = 4.34e+12, .narrow_packing = 4.69e-07, .narrow_copy = 2.75e-11,
     .element_copy = 8.67e-11},
    // Not known: launch, split_cache_line, cluster, narrow_copy, element_copy.
    {.input = "float", .launch = 2.81e-07, .norm = 2.22, .step_norm = 3.16, .reached = 0.943, .cache_lines = 1.07e+11,
     .split_cache_line = 0.289, .shared = 0.156, .second_kernel = 1.72e-06, .second_slice = 1.03e-08,
     .slice_bandwidth = 1.76e+12, .cluster = 3.87e-08, .cluster_slice = 6.38e-08, .last_blocks = 4.9e-06,
     .packing = 1.4e-06, .packing_bandwidth = 5.12e+12, .narrow_packing = 9.32e-07, .narrow_copy = 2.6e-12,
     .element_copy = 8e-11},
    {.input = "int8", .launch = 3.06e-07, .norm = 2.07, .step_norm = 4.35, .reached = 0.939, .cache_lines = 2.13e+11,
     .split_cache_line = 1.06, .shared = 0.13, .second_kernel = 1.66e-06, .second_slice = 1.04e-08,
     .slice_bandwidth = 2.82e+12, .cluster = 5.35e-08, .cluster_slice = 2.29e-08, .last_blocks = 3e-06,
     .packing = 1.81e-06, .packing_bandwidth = 4.3e+12, .narrow_packing = 4.33e-07, .narrow_copy = 2.84e-11,
     .element_copy = 9.47e-11},
    // Not known: launch, cluster, cluster_slice, last_blocks, element_copy.
    {.input = "tf32", .launch = 2.33e-07, .norm = 2.99, .step_norm = 4.28, .reached = 0.919, .cache_lines = 1.59e+11,
     .split_cache_line = 0.808, .shared = 0.153, .second_kernel = 1.7e-06, .second_slice = 1.14e-08,
     .slice_bandwidth = 2.48e+12, .cluster = 2.85e-08, .cluster_slice = 1.75e-08, .last_blocks = 3e-06,
     .packing = 1.52e-06, .packing_bandwidth = 4.03e+12, .narrow_packing = 1.18e-07, .narrow_copy = 1.31e-10,
     .element_copy = 8e-11},
};

inline constexpr terms_rate nvidia_h200_terms[] = {
    {"fp16x3_128x192x64_2x1", 0.636},
    {"fp16x3_128x128x64_2x1", 0.597},
    {"fp16x3_compensated_128x192x64_2x1", 0.573},
    {"fp16x3_sliced_128x128x64", 0.5},
};

inline constexpr gpu_table nvidia_h200{
    .gpu = "NVIDIA H200", .major = 9, .minor = 0, .multiprocessors = 132,
    .clock = 1.98e+09, .bandwidth = 4.814e+12,
    .device = nvidia_h200_device, .policies = nvidia_h200_policies,
    .device_count = sizeof(nvidia_h200_device) / sizeof(device_rates),
    .policy_count = sizeof(nvidia_h200_policies) / sizeof(policy_rates),
    .emulation = {}, .terms = nvidia_h200_terms,
    .terms_count = sizeof(nvidia_h200_terms) / sizeof(terms_rate)};

}  // namespace gemm::tables
// clang-format on
