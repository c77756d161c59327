// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rates of an NVIDIA H200; CUDA 13.0, 2026-11-29.
//! Written by gemm_calibrate, of 23848 times of candidates for 841 products; do not edit.
//! Not known: from these measurements. Such a rate is about what it began with.
//! Kept from an earlier run: float tf32 split terms.
#pragma once

#include <gemm/tables/rates.hpp>

// clang-format off
namespace gemm::tables {

inline constexpr policy_rates nvidia_h200_policies[] = {
    // Kept from an earlier run.
    {"sm80_mma_128x128x32", "bfloat16", 1.08, 4.8e-07, 9.87e-07,
     {0.999, 1.07, 1, 1}, {5.46e-06, 1.31e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.29e-06}},
    {"sm80_mma_64x64x64", "bfloat16", 0.582, 4.07e-07, 8.74e-07,
     {0.985, 0.981, 1, 1}, {2.38e-06, 4.46e-06, 4.37e-06, 1.5e-06, 4e-06, 4e-06, 2.16e-06}},
    // Not known: full, step.
    {"sm90_wgmma_128x128x64_2x2", "bfloat16", 0.905, 2.48e-07, 1.24e-06,
     {0.997, 1.02, 1, 1}, {2.08e-06, 4.31e-06, 4.44e-06, 1.5e-06, 4e-06, 4e-06, 2.03e-06}},
    // Not known: step.
    {"sm90_wgmma_128x192x64_2x1", "bfloat16", 0.904, 3.7e-07, 1.54e-06,
     {0.967, 1, 1, 1}, {1.38e-06, 4.47e-06, 4.6e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_128x224x64", "bfloat16", 0.93, 4.15e-07, 1.79e-06,
     {1.03, 1, 1, 1}, {1.5e-06, 4.54e-06, 4.68e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_128x256x64_2x1", "bfloat16", 0.899, 4.96e-07, 1.66e-06,
     {1, 1, 1, 1}, {1.61e-06, 4.62e-06, 4.76e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_128x64x64", "bfloat16", 0.789, 1.97e-07, 9.16e-07,
     {0.93, 1, 0.93, 1}, {1.7e-06, 4.15e-06, 4.28e-06, 4.29e-06, 3.58e-06, 3.52e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_160x256x64_2x1", "bfloat16", 0.862, 6.6e-07, 1.12e-06,
     {1.05, 1, 1, 1}, {2.25e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_16x64x64", "bfloat16", 0.78, 1.23e-07, 5.28e-07,
     {1.03, 1, 1.14, 1}, {7.94e-07, 1.46e-06, 1.77e-06, 1.92e-06, 1.88e-06, 1.99e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_192x128x64_1x2", "bfloat16", 0.888, 3.8e-07, 1.46e-06,
     {0.93, 0.931, 1, 1}, {1.38e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 2.6e-06}},
    // Not known: full, store[2].
    {"sm90_wgmma_32x64x64", "bfloat16", 0.779, 1.28e-07, 9.1e-07,
     {1.03, 1, 1.11, 1}, {8.22e-07, 1.49e-06, 4e-06, 1.99e-06, 1.93e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x128x64", "bfloat16", 0.817, 1.53e-07, 9.56e-07,
     {1.03, 1.03, 1, 1}, {1.7e-06, 4.15e-06, 4.28e-06, 1.5e-06, 4e-06, 4e-06, 1.47e-06}},
    // Not known: full.
    {"sm90_wgmma_64x16x64", "bfloat16", 0.78, 1.38e-07, 6.14e-07,
     {0.993, 1, 1, 1}, {7.94e-07, 9.69e-07, 8.93e-07, 1.92e-06, 1.88e-06, 1.99e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x192x64_2x1", "bfloat16", 0.821, 2.23e-07, 1.28e-06,
     {0.931, 1, 1, 1}, {1.04e-06, 4.23e-06, 4.36e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[2].
    {"sm90_wgmma_64x32x64", "bfloat16", 0.78, 1.31e-07, 8.77e-07,
     {1, 1, 1, 1}, {8.22e-07, 1.03e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_64x64x64", "bfloat16", 0.446, 1.63e-07, 7.72e-07,
     {0.995, 1.02, 0.993, 1}, {1.51e-06, 4.07e-06, 4.2e-06, 3.51e-06, 3.27e-06, 3.22e-06, 1.18e-06}},
    // Not known: full.
    {"sm90_wgmma_64x80x64", "bfloat16", 0.781, 1.3e-07, 1.33e-06,
     {1.05, 1, 1, 1}, {1.55e-06, 4.09e-06, 4.22e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x96x64_2x1", "bfloat16", 0.787, 1.42e-07, 1.1e-06,
     {0.93, 1, 1, 1}, {1.6e-06, 4.11e-06, 4.24e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_80x128x64_4x1", "bfloat16", 0.804, 1.99e-07, 1.44e-06,
     {1.03, 1, 1, 1}, {7.54e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_96x192x64_2x1", "bfloat16", 0.863, 3e-07, 1.38e-06,
     {1.03, 1, 1, 1}, {1.15e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_96x64x64_1x2", "bfloat16", 0.781, 1.51e-07, 1.48e-06,
     {0.989, 1, 1, 1}, {5.55e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step, store[1], store[2].
    {"sm90_wgmma_ping_pong_128x128x64_1x2", "bfloat16", 0.906, 2.47e-07, 1.43e-06,
     {1.03, 1, 1, 1}, {7.96e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_ping_pong_128x176x64", "bfloat16", 0.946, 3.21e-07, 1.97e-06,
     {1.06, 1, 1, 1}, {9.4e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"pipelined_32x64x32", "double", 0.503, 6.88e-07, 4.13e-07,
     {1.04, 1.02, 1, 1}, {9.75e-07, 4e-06, 5.11e-07, 1.5e-06, 4e-06, 4e-06, 6.41e-07}},
    // Not known: full, step, fixed, store[1], store[2].
    {"skinny_1x32x512", "double", 0.781, 2.07e-07, 1.31e-06,
     {1.07, 1, 1, 1}, {9.78e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, fixed, store[1].
    {"sm80_mma_f64_128x128x16", "double", 0.942, 9.2e-07, 6.64e-07,
     {0.961, 1, 1, 1}, {6.31e-06, 4e-06, 1.07e-05, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"sm80_mma_f64_128x64x16", "double", 0.956, 4.54e-07, 7.7e-07,
     {0.971, 0.994, 0.993, 1}, {4e-06, 4e-06, 6.22e-06, 5.7e-06, 4e-06, 5.68e-06, 2.43e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_32x32x16", "double", 0.845, 1.8e-07, 6.37e-07,
     {0.985, 0.966, 0.946, 1}, {1.97e-06, 4e-06, 2.31e-06, 2.59e-06, 4e-06, 2.58e-06, 1.48e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x32x16", "double", 0.997, 1.98e-07, 9.48e-07,
     {0.935, 0.935, 0.935, 1}, {2.26e-06, 4e-06, 2.87e-06, 3.03e-06, 4e-06, 3.02e-06, 1.62e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x64x16", "double", 1, 3.99e-07, 1.01e-06,
     {0.94, 1.13, 1.01, 1}, {2.84e-06, 4e-06, 3.99e-06, 3.92e-06, 4e-06, 3.91e-06, 1.89e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_96x96x16", "double", 0.919, 6.91e-07, 1.97e-06,
     {1.23, 0.962, 0.988, 1}, {4.29e-06, 4e-06, 6.78e-06, 6.15e-06, 4e-06, 6.12e-06, 2.57e-06}},
    // Kept from an earlier run.
    {"sm80_mma_fp8_128x128x64", "e4m3", 2.6, 7.53e-07, 9.46e-07,
     {0.996, 1, 1, 1}, {4.14e-06, 8.76e-06, 7.41e-06, 1.5e-06, 4e-06, 4e-06, 3.33e-06}},
    {"sm80_mma_fp8_64x64x128", "e4m3", 0.673, 5.29e-07, 8.76e-07,
     {0.989, 1, 1, 1}, {2.65e-06, 4.81e-06, 4.55e-06, 1.5e-06, 4e-06, 4e-06, 2.08e-06}},
    // Not known: step.
    {"sm90_wgmma_fp8_128x128x128", "e4m3", 0.868, 2.34e-07, 1.21e-06,
     {0.989, 1.03, 1, 1}, {2.3e-06, 4.61e-06, 4.75e-06, 1.5e-06, 4e-06, 4e-06, 1.71e-06}},
    // Not known: step.
    {"sm90_wgmma_fp8_128x160x128", "e4m3", 0.87, 3.01e-07, 1.27e-06,
     {0.995, 1, 1, 1}, {1.52e-06, 4.71e-06, 4.88e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x192x128_2x1", "e4m3", 0.859, 3.95e-07, 1.14e-06,
     {0.963, 1, 1, 1}, {1.62e-06, 4.81e-06, 5.01e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x256x128_2x1", "e4m3", 0.819, 5.79e-07, 1e-06,
     {1.05, 1, 1, 1}, {1.82e-06, 5.01e-06, 5.27e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x80x128_1x2", "e4m3", 0.786, 2.27e-07, 1.32e-06,
     {0.963, 1, 1, 1}, {2.01e-06, 4.46e-06, 4.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_fp8_160x128x128_1x2", "e4m3", 0.892, 3.18e-07, 1.36e-06,
     {0.963, 1, 1, 1}, {1.31e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_16x64x128", "e4m3", 0.78, 1.04e-07, 4.71e-07,
     {1.07, 1, 1.13, 1}, {1.19e-06, 1.68e-06, 1.72e-06, 2.35e-06, 2.33e-06, 2.46e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_32x64x128", "e4m3", 0.776, 1.25e-07, 7.49e-07,
     {1.02, 1, 1.09, 1}, {1.23e-06, 1.71e-06, 1.75e-06, 2.43e-06, 2.38e-06, 2.53e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_64x16x128", "e4m3", 0.78, 1.19e-07, 5.29e-07,
     {1, 1, 0.975, 1}, {1.19e-06, 1.18e-06, 1.13e-06, 2.35e-06, 2.33e-06, 2.46e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_64x64x128", "e4m3", 0.538, 1.73e-07, 6.08e-07,
     {1.01, 1.02, 0.974, 1}, {1.72e-06, 4.31e-06, 4.36e-06, 3.84e-06, 3.68e-06, 3.63e-06, 1.05e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_64x80x128", "e4m3", 0.78, 1.79e-07, 1.05e-06,
     {0.963, 1, 0.976, 1}, {1.77e-06, 4.34e-06, 4.4e-06, 4.18e-06, 3.75e-06, 3.69e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_fp8_96x128x128_1x2", "e4m3", 0.829, 2.16e-07, 1.61e-06,
     {0.986, 1, 1, 1}, {9.1e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_fp8_96x64x128_1x2", "e4m3", 0.78, 2.03e-07, 1.68e-06,
     {0.963, 1, 1, 1}, {6.13e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"persistent_128x64x32", "float", 0.765, 1.41e-06, 9.19e-07,
     {0.939, 1, 1, 1}, {2.29e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"persistent_64x64x32", "float", 0.669, 9.81e-07, 1.01e-06,
     {0.937, 1, 1, 1}, {1.82e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_128x32x16", "float", 0.621, 3.37e-07, 7.86e-07,
     {1.03, 1.04, 1, 1}, {8.79e-07, 7.44e-07, 6.98e-07, 1.5e-06, 4e-06, 4e-06, 8.61e-07}},
    {"pipelined_128x64x16", "float", 0.732, 5.18e-07, 1.25e-06,
     {1.01, 0.994, 1, 1}, {1.32e-06, 9.42e-07, 9.11e-07, 1.5e-06, 4e-06, 4e-06, 1.01e-06}},
    {"pipelined_32x64x32", "float", 0.529, 5.2e-07, 7.6e-07,
     {0.949, 1.03, 1, 1}, {6.59e-07, 6.45e-07, 5.92e-07, 1.5e-06, 4e-06, 4e-06, 7.84e-07}},
    {"pipelined_48x128x16", "float", 0.7, 4.87e-07, 9.04e-07,
     {1.11, 0.968, 1, 1}, {1.1e-06, 8.43e-07, 8.04e-07, 1.5e-06, 4e-06, 4e-06, 9.37e-07}},
    {"skinny_128x1x64", "float", 0.78, 6.01e-07, 1.06e-06,
     {0.937, 1.01, 1, 1}, {1.5e-06, 4e-06, 1.38e-06, 1.5e-06, 4e-06, 4e-06, 1e-06}},
    {"skinny_1x128x64", "float", 0.779, 5.9e-07, 7.11e-07,
     {1.01, 0.968, 1, 1}, {8.77e-07, 8.36e-07, 1.38e-06, 1.5e-06, 4e-06, 4e-06, 1e-06}},
    {"skinny_1x32x512", "float", 0.783, 1.35e-07, 1.7e-06,
     {1.11, 1, 1, 1}, {8.72e-07, 8.28e-07, 1.37e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"skinny_4x128x32", "float", 0.779, 3.17e-07, 1.26e-06,
     {1, 1, 1, 1}, {9e-07, 4e-06, 1.4e-06, 1.5e-06, 4e-06, 4e-06, 1.03e-06}},
    {"skinny_64x8x64", "float", 0.778, 8.02e-07, 8.41e-07,
     {1, 1, 1, 1}, {9e-07, 8.67e-07, 1.4e-06, 1.5e-06, 4e-06, 4e-06, 1.03e-06}},
    {"skinny_8x64x64", "float", 0.758, 8.69e-07, 1.03e-06,
     {0.979, 1, 1, 1}, {9e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.03e-06}},
    {"sm90_simt_tma_128x128x32", "float", 0.832, 1.88e-06, 6.76e-07,
     {0.963, 1, 1, 1}, {3.51e-06, 3.06e-06, 3.35e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_simt_tma_128x16x32", "float", 0.698, 3.12e-07, 3.04e-07,
     {1, 1.01, 1, 1}, {1.97e-06, 1.98e-06, 1.97e-06, 1.5e-06, 4e-06, 4e-06, 2.24e-06}},
    {"sm90_simt_tma_128x64x32", "float", 0.87, 9.01e-07, 7.12e-07,
     {1.03, 1, 1, 1}, {2.63e-06, 2.44e-06, 2.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_simt_tma_16x64x32", "float", 0.779, 2.33e-07, 2.18e-07,
     {0.937, 0.979, 0.937, 1}, {1.86e-06, 1.9e-06, 1.87e-06, 3.06e-06, 2.92e-06, 2.86e-06, 2.1e-06}},
    {"sm90_simt_tma_64x64x32", "float", 0.792, 5.27e-07, 8.83e-07,
     {1.04, 1, 1.03, 1}, {2.19e-06, 2.13e-06, 2.17e-06, 3.86e-06, 3.49e-06, 3.12e-06, 1.5e-06}},
    {"small_16x16x16", "float", 0.644, 1.49e-07, 8.95e-07,
     {1.02, 1, 1, 1}, {8.76e-07, 4e-06, 2.32e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"small_32x32x32", "float", 0.839, 7.23e-07, 9.8e-07,
     {1.13, 1, 1, 1}, {9.6e-07, 4e-06, 2.58e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, fixed.
    {"skinny_1x32x512", "int8", 0.78, 6.64e-07, 9.44e-07,
     {1.1, 1, 1, 1}, {1.22e-06, 1.34e-06, 5.26e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Kept from an earlier run.
    {"sm80_mma_s8_128x128x64", "int8", 1.03, 4.59e-07, 1.18e-06,
     {0.939, 1.05, 1, 1}, {5.19e-06, 1.23e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.04e-06}},
    {"sm80_mma_s8_64x64x128", "int8", 0.662, 4.21e-07, 9.21e-07,
     {0.954, 0.954, 1, 1}, {2.49e-06, 4.47e-06, 3.72e-06, 1.5e-06, 4e-06, 4e-06, 2.41e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_ping_pong_s8_128x128x128", "int8", 1, 1.88e-07, 1.49e-06,
     {0.997, 1, 1, 1}, {1.46e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_s8_128x256x128_2x1", "int8", 0.927, 4.79e-07, 1.16e-06,
     {1.04, 1, 1, 1}, {2.86e-06, 5.01e-06, 4.43e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_128x64x128_1x4", "int8", 0.832, 1.46e-07, 9.82e-07,
     {0.954, 1, 1, 1}, {1.76e-06, 4.06e-06, 3.21e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_128x80x128_1x2", "int8", 0.849, 1.75e-07, 1.26e-06,
     {0.967, 0.987, 1, 1}, {1.9e-06, 4.14e-06, 3.31e-06, 1.5e-06, 4e-06, 4e-06, 1.74e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_16x64x128", "int8", 0.78, 1.09e-07, 3.64e-07,
     {1.06, 1, 1.1, 1}, {1.23e-06, 1.65e-06, 1.79e-06, 2.41e-06, 2.24e-06, 2.54e-06, 1.5e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_s8_192x128x128_1x2", "int8", 0.931, 3.59e-07, 1.05e-06,
     {0.962, 1.02, 1, 1}, {2.38e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 3.01e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_s8_192x80x128_1x2", "int8", 0.873, 2.47e-07, 1.06e-06,
     {1.01, 1, 1, 1}, {1.85e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_32x64x128", "int8", 0.778, 1.27e-07, 6.61e-07,
     {1.02, 1, 1.07, 1}, {1.33e-06, 1.71e-06, 1.84e-06, 2.49e-06, 2.3e-06, 2.61e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_64x16x128", "int8", 0.78, 1.29e-07, 3.65e-07,
     {1.02, 1, 1, 1}, {1.23e-06, 1.11e-06, 1.41e-06, 2.41e-06, 2.24e-06, 2.54e-06, 1.5e-06}},
    {"sm90_wgmma_s8_64x64x128", "int8", 0.519, 1.48e-07, 8.84e-07,
     {0.978, 1.03, 0.954, 1}, {1.47e-06, 3.9e-06, 3e-06, 3.55e-06, 3.11e-06, 3.45e-06, 1.2e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_64x80x128", "int8", 0.777, 1.26e-07, 1.24e-06,
     {0.987, 1, 0.996, 1}, {1.54e-06, 3.94e-06, 3.05e-06, 4.11e-06, 3.18e-06, 3.52e-06, 1.5e-06}},
    {"sm80_mma_tf32_128x128x16", "tf32", 0.802, 4.71e-07, 1.13e-06,
     {0.983, 1.04, 1, 1}, {5.74e-06, 1.2e-05, 1.13e-05, 1.5e-06, 4e-06, 4e-06, 3.21e-06}},
    {"sm80_mma_tf32_64x64x32", "tf32", 0.579, 4.47e-07, 7.62e-07,
     {0.942, 0.978, 1, 1}, {2.84e-06, 4.37e-06, 4.21e-06, 1.5e-06, 4e-06, 4e-06, 2.26e-06}},
    {"sm90_wgmma_ping_pong_tf32_128x128x32", "tf32", 0.987, 2.08e-07, 1.19e-06,
     {1.07, 1, 1, 1}, {2.04e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_128x192x32", "tf32", 0.985, 3.11e-07, 6.39e-07,
     {1.08, 1, 1, 1}, {4.45e-06, 4.7e-06, 6.46e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_128x256x32", "tf32", 0.981, 4.26e-07, 7.57e-07,
     {1.04, 1.06, 1, 1}, {5.49e-06, 5.35e-06, 7.27e-06, 1.5e-06, 4e-06, 4e-06, 3.86e-06}},
    {"sm90_wgmma_tf32_128x64x32", "tf32", 0.789, 2e-07, 5.34e-07,
     {0.92, 1, 0.92, 1}, {2.36e-06, 3.41e-06, 4.84e-06, 4.65e-06, 3.87e-06, 3.77e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_128x96x32", "tf32", 0.833, 2.12e-07, 4.52e-07,
     {0.956, 1, 0.964, 1}, {2.88e-06, 3.73e-06, 5.25e-06, 5.87e-06, 4.66e-06, 4.49e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_16x64x32", "tf32", 0.78, 9.04e-08, 8.08e-07,
     {1.04, 1, 1, 1}, {1.25e-06, 1.25e-06, 2.97e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_64x128x32", "tf32", 0.799, 1.64e-07, 8.24e-07,
     {1.09, 1.08, 1, 1}, {2.36e-06, 3.41e-06, 4.84e-06, 1.5e-06, 4e-06, 4e-06, 1.49e-06}},
    {"sm90_wgmma_tf32_64x16x32", "tf32", 0.78, 1.57e-07, 5.88e-07,
     {0.999, 1, 0.992, 1}, {1.25e-06, 8.4e-07, 8.12e-07, 1.94e-06, 1.75e-06, 2.41e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_64x64x32", "tf32", 0.405, 1.39e-07, 8.28e-07,
     {1.02, 0.995, 0.984, 1}, {1.84e-06, 3.09e-06, 4.44e-06, 3.43e-06, 3.08e-06, 3.05e-06, 1.1e-06}},
};

inline constexpr device_rates nvidia_h200_device[] = {
    // Not known: step_norm, cluster, cluster_slice, last_blocks.
    {.input = "bfloat16", .launch = 4.23e-07, .norm = 2.59, .step_norm = 8.45, .reached = 0.93, .alone = 0.54,
     .cache_lines = 1.56e+11, .split_cache_line = 1.43, .shared = 0.121, .second_kernel = 1.42e-06,
     .second_slice = 1e-08, .slice_bandwidth = 3.12e+12, .cluster = 2.74e-08, .cluster_slice = 1.59e-08,
     .last_blocks = 3e-06, .packing = 1.22e-06, .packing_bandwidth = 3.36e+12, .narrow_packing = 4.39e-07,
     .narrow_copy = 5.24e-11, .element_copy = 1.43e-10},
    // Not known: launch, step_norm, alone, cluster, last_blocks, narrow_packing, element_copy.
    {.input = "double", .launch = 3.47e-07, .norm = 2.77, .step_norm = 8.13, .reached = 0.935, .alone = 0.444,
     .cache_lines = 1.15e+11, .split_cache_line = 0.217, .shared = 0.113, .second_kernel = 1.9e-06,
     .second_slice = 1.16e-08, .slice_bandwidth = 3.38e+12, .cluster = 7.33e-08, .cluster_slice = 1.06e-07,
     .last_blocks = 3e-06, .packing = 2.73e-06, .packing_bandwidth = 3.55e+12, .narrow_packing = 7.43e-07,
     .narrow_copy = 1.46e-10, .element_copy = 8e-11},
    // Not known: launch, step_norm, alone, cluster, cluster_slice, last_blocks.
    {.input = "e4m3", .launch = 3.26e-07, .norm = 2.04, .step_norm = 7.16, .reached = 0.963, .alone = 0.636,
     .cache_lines = 1.53e+11, .split_cache_line = 1.04, .shared = 0.11, .second_kernel = 1.99e-06,
     .second_slice = 9.08e-09, .slice_bandwidth = 3.11e+12, .cluster = 1.81e-08, .cluster_slice = 1.52e-08,
     .last_blocks = 3e-06, .packing = 1.65e-06, .packing_bandwidth = 4.21e+12, .narrow_packing = 4.06e-07,
     .narrow_copy = 2.95e-11, .element_copy = 8.29e-11},
    {.input = "float", .launch = 1.67e-07, .norm = 2.25, .step_norm = 3.04, .reached = 0.937, .alone = 0.689,
     .cache_lines = 1.26e+11, .split_cache_line = 0.247, .shared = 0.152, .second_kernel = 1.61e-06,
     .second_slice = 1.08e-08, .slice_bandwidth = 1.85e+12, .cluster = 5.53e-08, .cluster_slice = 3.65e-08,
     .last_blocks = 3e-06, .packing = 1.9e-06, .packing_bandwidth = 5.15e+12, .narrow_packing = 7.51e-07,
     .narrow_copy = 3.31e-12, .element_copy = 8e-11},
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks.
    {.input = "int8", .launch = 2.65e-07, .norm = 1.96, .step_norm = 8.46, .reached = 0.954, .alone = 0.609,
     .cache_lines = 2.08e+11, .split_cache_line = 0.966, .shared = 0.115, .second_kernel = 1.5e-06,
     .second_slice = 1.09e-08, .slice_bandwidth = 3.44e+12, .cluster = 2.43e-08, .cluster_slice = 1.2e-08,
     .last_blocks = 3e-06, .packing = 1.76e-06, .packing_bandwidth = 4.18e+12, .narrow_packing = 4.42e-07,
     .narrow_copy = 2.99e-11, .element_copy = 8.58e-11},
    {.input = "tf32", .launch = 2.49e-07, .norm = 2.98, .step_norm = 6.56, .reached = 0.92, .alone = 0.407,
     .cache_lines = 1.62e+11, .split_cache_line = 0.839, .shared = 0.143, .second_kernel = 1.74e-06,
     .second_slice = 1.2e-08, .slice_bandwidth = 2.46e+12, .cluster = 2.92e-08, .cluster_slice = 1.84e-08,
     .last_blocks = 3e-06, .packing = 1.49e-06, .packing_bandwidth = 3.99e+12, .narrow_packing = 1.21e-07,
     .narrow_copy = 1.31e-10, .element_copy = 8e-11},
};

inline constexpr terms_rate nvidia_h200_terms[] = {
    {"fp16x3_128x128x64_2x1", 0.91},
    {"fp16x3_128x192x64_2x1", 0.913},
    {"fp16x3_compensated_128x192x64_2x1", 0.753},
    {"fp16x3_sliced_128x128x64", 0.521},
};

inline constexpr gpu_table nvidia_h200{
    .gpu = "NVIDIA H200", .major = 9, .minor = 0, .multiprocessors = 132,
    .clock = 1.98e+09, .bandwidth = 4.814e+12,
    .device = nvidia_h200_device, .policies = nvidia_h200_policies,
    .device_count = sizeof(nvidia_h200_device) / sizeof(device_rates),
    .policy_count = sizeof(nvidia_h200_policies) / sizeof(policy_rates),
    .emulation = {.split = 3.65e-06, .split_narrow = 5.76e-06, .split_reached = 0.786, .split_narrow_reached = 0.738,
                  .transpose = 1.89e-06, .row_facts = 5.5e-10, .tile = 2.32e-06, .slices = 1.08e-06,
                  .store_reached = 0.662, .fallback = 3.2e-06, .fallback_block = 5.94e-10},
    .terms = nvidia_h200_terms, .terms_count = sizeof(nvidia_h200_terms) / sizeof(terms_rate)};

}  // namespace gemm::tables
// clang-format on
