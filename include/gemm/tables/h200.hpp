// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rates of an NVIDIA H200; CUDA 13.0, 2026-11-29.
//! Written by gemm_calibrate, of 29101 times of candidates for 2349 products; do not edit.
//! Not known: from these measurements. Such a rate is about what it began with.
#pragma once

#include <gemm/tables/rates.hpp>

// clang-format off
namespace gemm::tables {

inline constexpr policy_rates nvidia_h200_policies[] = {
    // Kept from an earlier run.
    {"sm80_mma_128x128x32", "bfloat16", 1.08, 4.8e-07, 9.87e-07,
     {0.999, 1.07, 1, 1}, {5.46e-06, 1.31e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.29e-06}},
    {"sm80_mma_64x64x64", "bfloat16", 0.58, 4.2e-07, 8.78e-07,
     {0.965, 0.964, 1, 1}, {2.36e-06, 4.45e-06, 4.38e-06, 1.5e-06, 4e-06, 4e-06, 2.04e-06}},
    // Not known: step.
    {"sm90_wgmma_128x128x64_2x2", "bfloat16", 0.917, 2.42e-07, 1.22e-06,
     {0.992, 0.99, 1, 1}, {2.14e-06, 4.34e-06, 4.45e-06, 1.5e-06, 4e-06, 4e-06, 2e-06}},
    // Not known: step.
    {"sm90_wgmma_128x192x64_2x1", "bfloat16", 0.912, 3.63e-07, 1.55e-06,
     {0.962, 1, 1, 1}, {1.41e-06, 4.51e-06, 4.62e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_128x224x64", "bfloat16", 0.935, 4.11e-07, 1.79e-06,
     {1.04, 1, 1, 1}, {1.53e-06, 4.6e-06, 4.71e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_128x256x64_2x1", "bfloat16", 0.91, 4.84e-07, 1.66e-06,
     {0.995, 1, 1, 1}, {1.66e-06, 4.68e-06, 4.8e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_128x64x64", "bfloat16", 0.783, 1.99e-07, 9.31e-07,
     {0.92, 1, 0.92, 1}, {1.72e-06, 4.16e-06, 4.27e-06, 4.34e-06, 3.63e-06, 3.55e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_160x256x64_2x1", "bfloat16", 0.876, 6.47e-07, 1.04e-06,
     {1.05, 1, 1, 1}, {2.36e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_16x64x64", "bfloat16", 0.78, 1.22e-07, 5.36e-07,
     {1.03, 1, 1.14, 1}, {8.36e-07, 1.5e-06, 1.82e-06, 2.02e-06, 1.96e-06, 2.08e-06, 1.5e-06}},
    // Not known: full, store[2].
    {"sm90_wgmma_32x64x64", "bfloat16", 0.779, 1.35e-07, 8.79e-07,
     {1.03, 1, 1.11, 1}, {8.64e-07, 1.53e-06, 4e-06, 2.08e-06, 2.01e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x128x64", "bfloat16", 0.816, 1.53e-07, 9.67e-07,
     {1.03, 1.02, 1, 1}, {1.72e-06, 4.16e-06, 4.27e-06, 1.5e-06, 4e-06, 4e-06, 1.37e-06}},
    // Not known: full.
    {"sm90_wgmma_64x16x64", "bfloat16", 0.78, 1.37e-07, 6.16e-07,
     {0.993, 1, 1, 1}, {8.36e-07, 1.01e-06, 9.08e-07, 2.02e-06, 1.96e-06, 2.08e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x192x64_2x1", "bfloat16", 0.817, 2.26e-07, 1.31e-06,
     {0.93, 1, 1, 1}, {1.02e-06, 4.25e-06, 4.36e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[2].
    {"sm90_wgmma_64x32x64", "bfloat16", 0.78, 1.29e-07, 8.96e-07,
     {1, 1, 1, 1}, {8.64e-07, 1.07e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_64x64x64", "bfloat16", 0.443, 1.66e-07, 7.9e-07,
     {0.997, 1.02, 0.994, 1}, {1.51e-06, 4.08e-06, 4.19e-06, 3.55e-06, 3.31e-06, 3.24e-06, 1.05e-06}},
    // Not known: full.
    {"sm90_wgmma_64x80x64", "bfloat16", 0.781, 1.33e-07, 1.39e-06,
     {1.05, 1, 1, 1}, {1.56e-06, 4.1e-06, 4.21e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x96x64_2x1", "bfloat16", 0.785, 1.43e-07, 1.13e-06,
     {0.92, 1, 1, 1}, {1.61e-06, 4.12e-06, 4.23e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_80x128x64_4x1", "bfloat16", 0.806, 1.97e-07, 1.43e-06,
     {1.03, 1, 1, 1}, {7.85e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_96x192x64_2x1", "bfloat16", 0.881, 2.89e-07, 1.39e-06,
     {0.944, 1, 1, 1}, {1.2e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_ping_pong_128x128x64_1x2", "bfloat16", 0.913, 2.45e-07, 1.48e-06,
     {1.04, 1, 1, 1}, {8.02e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_ping_pong_128x176x64", "bfloat16", 0.955, 3.24e-07, 2e-06,
     {1.08, 1, 1, 1}, {9.5e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[1].
    {"pipelined_32x64x32", "double", 0.502, 8.29e-07, 4.07e-07,
     {1.1, 1.05, 1, 1}, {9.51e-07, 4e-06, 4.85e-07, 1.5e-06, 4e-06, 4e-06, 7.99e-07}},
    // Not known: full, step, fixed, store[1], store[2].
    {"skinny_1x32x512", "double", 0.782, 2.03e-07, 1.26e-06,
     {1.06, 1, 1, 1}, {8.95e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, fixed, store[1].
    {"sm80_mma_f64_128x128x16", "double", 0.879, 1e-06, 6.67e-07,
     {0.938, 1, 1, 1}, {5.82e-06, 4e-06, 9.11e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"sm80_mma_f64_128x64x16", "double", 0.949, 4.5e-07, 1.42e-06,
     {0.946, 1.09, 1, 1}, {3.41e-06, 4e-06, 5.55e-06, 1.5e-06, 4e-06, 4e-06, 1.99e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x128x16", "double", 0.901, 6.64e-07, 1.7e-06,
     {1.01, 0.915, 1, 1}, {3.41e-06, 4e-06, 5.55e-06, 1.5e-06, 4e-06, 4e-06, 1.99e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x64x16", "double", 0.98, 4.12e-07, 1.61e-06,
     {0.918, 1.13, 1, 1}, {2.2e-06, 4e-06, 3.77e-06, 1.5e-06, 4e-06, 4e-06, 1.19e-06}},
    // Kept from an earlier run.
    {"sm80_mma_fp8_128x128x64", "e4m3", 2.6, 7.53e-07, 9.46e-07,
     {0.996, 1, 1, 1}, {4.14e-06, 8.76e-06, 7.41e-06, 1.5e-06, 4e-06, 4e-06, 3.33e-06}},
    {"sm80_mma_fp8_64x64x128", "e4m3", 0.691, 5.6e-07, 9.73e-07,
     {0.977, 0.997, 1, 1}, {2.47e-06, 4.61e-06, 4.22e-06, 1.5e-06, 4e-06, 4e-06, 2.18e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x128x128", "e4m3", 0.911, 2.38e-07, 1.45e-06,
     {1.01, 1.04, 1, 1}, {1.97e-06, 4.38e-06, 4.36e-06, 1.5e-06, 4e-06, 4e-06, 1.72e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x160x128", "e4m3", 0.904, 2.99e-07, 1.31e-06,
     {1.01, 1, 1, 1}, {1.39e-06, 4.54e-06, 4.52e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x176x128_2x1", "e4m3", 0.86, 3.55e-07, 1.14e-06,
     {0.983, 1, 1, 1}, {1.46e-06, 4.61e-06, 4.6e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x192x128_2x1", "e4m3", 0.87, 3.77e-07, 1.12e-06,
     {0.959, 1, 1, 1}, {1.53e-06, 4.69e-06, 4.68e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x256x128_1x2", "e4m3", 0.838, 5.44e-07, 9.14e-07,
     {1.02, 1, 1, 1}, {1.81e-06, 4.99e-06, 5.01e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x256x128_2x1", "e4m3", 0.833, 5.52e-07, 9.96e-07,
     {1.03, 1, 1, 1}, {1.81e-06, 4.99e-06, 5.01e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x64x128_1x4", "e4m3", 0.783, 2.02e-07, 1.12e-06,
     {0.959, 1, 1, 1}, {1.59e-06, 4.08e-06, 4.03e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_16x64x128", "e4m3", 0.78, 1.08e-07, 4.79e-07,
     {1.08, 1, 1.13, 1}, {1.09e-06, 1.7e-06, 1.71e-06, 2.33e-06, 2.45e-06, 2.44e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_64x16x128", "e4m3", 0.78, 1.21e-07, 4.8e-07,
     {1, 1, 0.98, 1}, {1.09e-06, 1.19e-06, 1.21e-06, 2.33e-06, 2.45e-06, 2.44e-06, 1.5e-06}},
    {"sm90_wgmma_fp8_64x64x128", "e4m3", 0.536, 1.75e-07, 8.95e-07,
     {1.03, 1.02, 0.979, 1}, {1.39e-06, 3.92e-06, 3.87e-06, 3.62e-06, 3.38e-06, 3.32e-06, 1.01e-06}},
    {"sm90_wgmma_fp8_64x64x128_2x1", "e4m3", 0.694, 1.95e-07, 1e-06,
     {0.959, 1, 1, 1}, {1.39e-06, 3.92e-06, 3.87e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_64x80x128", "e4m3", 0.78, 1.86e-07, 1.28e-06,
     {0.963, 1, 0.973, 1}, {1.44e-06, 3.96e-06, 3.91e-06, 4.07e-06, 3.46e-06, 3.38e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_128x64x32", "float", 0.765, 1.41e-06, 9.19e-07,
     {0.939, 1, 1, 1}, {2.3e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_64x64x32", "float", 0.669, 9.81e-07, 1.01e-06,
     {0.935, 1, 1, 1}, {1.83e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_128x32x16", "float", 0.623, 3.37e-07, 7.86e-07,
     {1.03, 1.04, 1, 1}, {8.81e-07, 7.45e-07, 7.31e-07, 1.5e-06, 4e-06, 4e-06, 8.47e-07}},
    {"pipelined_128x64x16", "float", 0.734, 5.18e-07, 1.25e-06,
     {1.01, 0.995, 1, 1}, {1.32e-06, 9.42e-07, 9.58e-07, 1.5e-06, 4e-06, 4e-06, 9.99e-07}},
    {"pipelined_32x64x32", "float", 0.53, 5.19e-07, 7.59e-07,
     {0.95, 1.03, 1, 1}, {6.62e-07, 6.46e-07, 6.18e-07, 1.5e-06, 4e-06, 4e-06, 7.72e-07}},
    {"pipelined_48x128x16", "float", 0.702, 4.87e-07, 9.04e-07,
     {1.11, 0.966, 1, 1}, {1.1e-06, 8.43e-07, 8.45e-07, 1.5e-06, 4e-06, 4e-06, 9.23e-07}},
    // Not known: full, store[0], store[1].
    {"skinny_128x1x64", "float", 0.78, 5.99e-07, 1.07e-06,
     {0.935, 1.01, 1, 1}, {1.5e-06, 4e-06, 1.89e-06, 1.5e-06, 4e-06, 4e-06, 9.71e-07}},
    // Not known: full.
    {"skinny_1x128x64", "float", 0.78, 5.84e-07, 7.26e-07,
     {1, 0.984, 1, 1}, {8.52e-07, 8.18e-07, 1.89e-06, 1.5e-06, 4e-06, 4e-06, 9.71e-07}},
    // Not known: full, step.
    {"skinny_1x32x512", "float", 0.777, 1.4e-07, 1.72e-06,
     {1.11, 1, 1, 1}, {8.47e-07, 8.1e-07, 1.88e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1].
    {"skinny_4x128x32", "float", 0.779, 3.16e-07, 1.28e-06,
     {1, 1, 1, 1}, {8.76e-07, 4e-06, 1.91e-06, 1.5e-06, 4e-06, 4e-06, 9.97e-07}},
    // Not known: full.
    {"skinny_64x8x64", "float", 0.778, 8.03e-07, 8.58e-07,
     {1, 1, 1, 1}, {8.76e-07, 8.5e-07, 1.91e-06, 1.5e-06, 4e-06, 4e-06, 9.97e-07}},
    // Not known: full, store[1], store[2].
    {"skinny_8x64x64", "float", 0.76, 8.67e-07, 1.06e-06,
     {0.998, 1.01, 1, 1}, {8.76e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 9.97e-07}},
    // Not known: fixed.
    {"sm90_simt_tma_128x128x32", "float", 0.832, 1.87e-06, 6.78e-07,
     {0.964, 1, 1, 1}, {3.5e-06, 3.07e-06, 3.42e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_simt_tma_128x16x32", "float", 0.702, 3.12e-07, 3.05e-07,
     {1, 1.01, 1, 1}, {1.97e-06, 1.98e-06, 2e-06, 1.5e-06, 4e-06, 4e-06, 2.23e-06}},
    // Not known: full.
    {"sm90_simt_tma_128x64x32", "float", 0.87, 9e-07, 7.14e-07,
     {1.03, 1, 1, 1}, {2.63e-06, 2.44e-06, 2.61e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_simt_tma_16x64x32", "float", 0.779, 2.32e-07, 2.18e-07,
     {0.935, 0.979, 0.935, 1}, {1.86e-06, 1.9e-06, 1.9e-06, 3.06e-06, 2.92e-06, 2.86e-06, 2.09e-06}},
    {"sm90_simt_tma_64x64x32", "float", 0.793, 5.26e-07, 8.84e-07,
     {1.04, 1, 1.03, 1}, {2.19e-06, 2.13e-06, 2.2e-06, 3.85e-06, 3.49e-06, 3.13e-06, 1.5e-06}},
    // Not known: full, step, store[1].
    {"small_16x16x16", "float", 0.652, 1.51e-07, 8.98e-07,
     {1.01, 1, 1, 1}, {8.66e-07, 4e-06, 2.33e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"small_32x32x32", "float", 0.838, 7.25e-07, 9.83e-07,
     {1.13, 1, 1, 1}, {9.5e-07, 4e-06, 2.6e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step, fixed, store[0], store[2].
    {"skinny_1x32x512", "int8", 0.773, 2.2e-07, 1.08e-06,
     {1.01, 1, 1, 1}, {1.15e-06, 1.5e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Kept from an earlier run.
    {"sm80_mma_s8_128x128x64", "int8", 1.03, 4.59e-07, 1.18e-06,
     {0.939, 1.05, 1, 1}, {5.19e-06, 1.23e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.04e-06}},
    {"sm80_mma_s8_64x64x128", "int8", 0.635, 4.27e-07, 8.06e-07,
     {0.941, 0.944, 1, 1}, {2.54e-06, 4.51e-06, 4.4e-06, 1.5e-06, 4e-06, 4e-06, 2.07e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_ping_pong_s8_128x128x128", "int8", 1, 1.95e-07, 1.32e-06,
     {1.03, 1, 1, 1}, {1.58e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_s8_128x256x128_2x1", "int8", 0.932, 4.62e-07, 9.14e-07,
     {1.05, 1, 1, 1}, {3.05e-06, 5.32e-06, 6.34e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_128x64x128_1x4", "int8", 0.817, 1.53e-07, 1.05e-06,
     {0.941, 1, 1, 1}, {1.64e-06, 4.27e-06, 4.58e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_s8_16x64x128", "int8", 0.78, 1.05e-07, 5.01e-07,
     {1.09, 1, 1.13, 1}, {9.73e-07, 1.49e-06, 1.55e-06, 2.27e-06, 2.24e-06, 2.26e-06, 1.5e-06}},
    // Not known: full, fixed.
    {"sm90_wgmma_s8_64x16x128", "int8", 0.78, 1.3e-07, 4.05e-07,
     {1, 1, 0.976, 1}, {9.73e-07, 1.05e-06, 1.04e-06, 2.27e-06, 2.24e-06, 2.26e-06, 1.5e-06}},
    {"sm90_wgmma_s8_64x64x128", "int8", 0.508, 1.49e-07, 7.03e-07,
     {0.991, 1, 0.953, 1}, {1.57e-06, 4.09e-06, 4.28e-06, 3.58e-06, 3.09e-06, 3.21e-06, 9.67e-07}},
    // Not known: full.
    {"sm90_wgmma_s8_64x80x128", "int8", 0.778, 1.3e-07, 1.09e-06,
     {1, 1, 1.01, 1}, {1.59e-06, 4.13e-06, 4.35e-06, 4.14e-06, 3.15e-06, 3.28e-06, 1.5e-06}},
    {"sm80_mma_tf32_128x128x16", "tf32", 0.801, 4.72e-07, 1.14e-06,
     {0.989, 1.04, 1, 1}, {5.73e-06, 1.2e-05, 1.13e-05, 1.5e-06, 4e-06, 4e-06, 3.2e-06}},
    {"sm80_mma_tf32_64x64x32", "tf32", 0.579, 4.47e-07, 7.69e-07,
     {0.943, 0.977, 1, 1}, {2.84e-06, 4.37e-06, 4.2e-06, 1.5e-06, 4e-06, 4e-06, 2.26e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_ping_pong_tf32_128x128x32", "tf32", 0.984, 2.07e-07, 1.19e-06,
     {1.08, 1, 1, 1}, {2.04e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_tf32_128x192x32", "tf32", 0.983, 3.1e-07, 6.36e-07,
     {1.08, 1, 1, 1}, {4.45e-06, 4.7e-06, 6.46e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_tf32_128x256x32", "tf32", 0.982, 4.3e-07, 7.56e-07,
     {1.04, 1.06, 1, 1}, {5.49e-06, 5.34e-06, 7.27e-06, 1.5e-06, 4e-06, 4e-06, 3.87e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_128x64x32", "tf32", 0.788, 2e-07, 5.36e-07,
     {0.917, 1, 0.917, 1}, {2.36e-06, 3.41e-06, 4.84e-06, 4.64e-06, 3.87e-06, 3.76e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_128x96x32", "tf32", 0.832, 2.13e-07, 4.52e-07,
     {0.954, 1, 0.962, 1}, {2.88e-06, 3.73e-06, 5.24e-06, 5.87e-06, 4.66e-06, 4.49e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_16x64x32", "tf32", 0.78, 9.06e-08, 8.08e-07,
     {1.04, 1, 1, 1}, {1.25e-06, 1.25e-06, 2.97e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_tf32_64x128x32", "tf32", 0.799, 1.64e-07, 8.23e-07,
     {1.1, 1.09, 1, 1}, {2.36e-06, 3.41e-06, 4.84e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, fixed.
    {"sm90_wgmma_tf32_64x16x32", "tf32", 0.78, 1.57e-07, 5.88e-07,
     {0.999, 1, 0.995, 1}, {1.25e-06, 8.4e-07, 8.12e-07, 1.95e-06, 1.75e-06, 2.41e-06, 1.5e-06}},
    {"sm90_wgmma_tf32_64x64x32", "tf32", 0.404, 1.39e-07, 8.33e-07,
     {1.02, 0.994, 0.982, 1}, {1.83e-06, 3.09e-06, 4.43e-06, 3.42e-06, 3.08e-06, 3.04e-06, 1.1e-06}},
};

inline constexpr device_rates nvidia_h200_device[] = {
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks.
    {.input = "bfloat16", .launch = 4.17e-07, .norm = 2.75, .step_norm = 8.11, .reached = 0.92,
     .cache_lines = 1.55e+11, .split_cache_line = 1.53, .shared = 0.128, .second_kernel = 1.56e-06,
     .second_slice = 1.01e-08, .slice_bandwidth = 3e+12, .cluster = 1.49e-08, .cluster_slice = 1.76e-08,
     .last_blocks = 3e-06, .packing = 1.25e-06, .packing_bandwidth = 3.28e+12, .narrow_packing = 4.12e-07,
     .narrow_copy = 5.29e-11, .element_copy = 1.43e-10},
    // Not known: launch, step_norm, reached, split_cache_line, cluster, cluster_slice, last_blocks, narrow_packing,
    // element_copy.
    {.input = "double", .launch = 4.02e-07, .norm = 2.94, .step_norm = 7.19, .reached = 0.915,
     .cache_lines = 1.11e+11, .split_cache_line = 0.426, .shared = 0.18, .second_kernel = 1.77e-06,
     .second_slice = 9.32e-09, .slice_bandwidth = 3.33e+12, .cluster = 3e-07, .cluster_slice = 1e-07,
     .last_blocks = 3e-06, .packing = 2.86e-06, .packing_bandwidth = 4.03e+12, .narrow_packing = 7.82e-07,
     .narrow_copy = 1.16e-10, .element_copy = 8e-11},
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks.
    {.input = "e4m3", .launch = 3.49e-07, .norm = 2.13, .step_norm = 6.46, .reached = 0.959, .cache_lines = 1.47e+11,
     .split_cache_line = 1.21, .shared = 0.136, .second_kernel = 1.75e-06, .second_slice = 9.03e-09,
     .slice_bandwidth = 3.12e+12, .cluster = 1.73e-08, .cluster_slice = 1.65e-08, .last_blocks = 3e-06,
     .packing = 1.68e-06, .packing_bandwidth = 4.08e+12, .narrow_packing = 4.59e-07, .narrow_copy = 2.95e-11,
     .element_copy = 8.62e-11},
    // Not known: launch, split_cache_line, cluster, last_blocks, narrow_copy, element_copy.
    {.input = "float", .launch = 1.68e-07, .norm = 2.27, .step_norm = 3.03, .reached = 0.935, .cache_lines = 1.19e+11,
     .split_cache_line = 0.286, .shared = 0.152, .second_kernel = 1.62e-06, .second_slice = 1.08e-08,
     .slice_bandwidth = 1.84e+12, .cluster = 5.53e-08, .cluster_slice = 3.67e-08, .last_blocks = 3e-06,
     .packing = 1.86e-06, .packing_bandwidth = 5.14e+12, .narrow_packing = 7.93e-07, .narrow_copy = 3.16e-12,
     .element_copy = 8e-11},
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks.
    {.input = "int8", .launch = 3.24e-07, .norm = 2.08, .step_norm = 7.51, .reached = 0.941, .cache_lines = 2.31e+11,
     .split_cache_line = 1.34, .shared = 0.135, .second_kernel = 1.81e-06, .second_slice = 1.08e-08,
     .slice_bandwidth = 3.14e+12, .cluster = 2.64e-08, .cluster_slice = 1.44e-08, .last_blocks = 3e-06,
     .packing = 1.81e-06, .packing_bandwidth = 4.22e+12, .narrow_packing = 4.51e-07, .narrow_copy = 2.91e-11,
     .element_copy = 8.85e-11},
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks, element_copy.
    {.input = "tf32", .launch = 2.49e-07, .norm = 2.99, .step_norm = 6.58, .reached = 0.917, .cache_lines = 1.62e+11,
     .split_cache_line = 0.842, .shared = 0.145, .second_kernel = 1.73e-06, .second_slice = 1.2e-08,
     .slice_bandwidth = 2.46e+12, .cluster = 2.92e-08, .cluster_slice = 1.85e-08, .last_blocks = 3e-06,
     .packing = 1.49e-06, .packing_bandwidth = 3.98e+12, .narrow_packing = 1.21e-07, .narrow_copy = 1.31e-10,
     .element_copy = 8e-11},
};

    // Not known: fallback_block.
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
    .emulation = {.split = 3.6e-06, .split_narrow = 5.7e-06, .split_reached = 0.786, .split_narrow_reached = 0.738,
                  .transpose = 1.89e-06, .row_facts = 5.5e-10, .tile = 2.32e-06, .slices = 1.08e-06,
                  .store_reached = 0.662, .fallback = 3.14e-06, .fallback_block = 5.94e-10},
    .terms = nvidia_h200_terms, .terms_count = sizeof(nvidia_h200_terms) / sizeof(terms_rate)};

}  // namespace gemm::tables
// clang-format on
