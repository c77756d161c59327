// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rates of an NVIDIA H200; CUDA 13.0, 2026-11-29.
//! Written by gemm_calibrate, of 26388 times of candidates for 1254 products; do not edit.
//! Not known: from these measurements. Such a rate is about what it began with.
#pragma once

#include <gemm/tables/rates.hpp>

// clang-format off
namespace gemm::tables {

inline constexpr policy_rates nvidia_h200_policies[] = {
    // Not known: full, fixed.
    {"sm80_mma_128x128x32", "bfloat16", 0.754, 4.68e-07, 1.14e-06,
     {0.996, 1.07, 1, 1}, {5.29e-06, 1.29e-05, 1.15e-05, 1.5e-06, 4e-06, 4e-06, 3.13e-06}},
    {"sm80_mma_64x64x64", "bfloat16", 0.385, 4.27e-07, 8.87e-07,
     {0.971, 0.972, 1, 1}, {2.23e-06, 4.3e-06, 4.34e-06, 1.5e-06, 4e-06, 4e-06, 2e-06}},
    // Not known: full, step.
    {"tensor_core_128x128x64_2x2", "bfloat16", 0.893, 2.47e-07, 1.4e-06,
     {0.986, 0.995, 1, 1}, {1.78e-06, 4.1e-06, 4.34e-06, 1.5e-06, 4e-06, 4e-06, 1.83e-06}},
    // Not known: step.
    {"tensor_core_128x192x64_2x1", "bfloat16", 0.916, 3.56e-07, 1.53e-06,
     {0.957, 1, 1, 1}, {1.24e-06, 4.25e-06, 4.53e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_128x224x64", "bfloat16", 0.956, 3.74e-07, 1.7e-06,
     {1.01, 1, 1, 1}, {1.34e-06, 4.33e-06, 4.62e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_128x256x64_2x1", "bfloat16", 0.904, 4.75e-07, 1.58e-06,
     {1, 1, 1, 1}, {1.44e-06, 4.41e-06, 4.71e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_16x64x64", "bfloat16", 0.78, 1.14e-07, 4.98e-07,
     {1.04, 1, 1.14, 1}, {8.19e-07, 1.53e-06, 1.45e-06, 2e-06, 2.03e-06, 1.98e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_32x64x64", "bfloat16", 0.779, 1.11e-07, 1.17e-06,
     {1.04, 1, 1, 1}, {8.44e-07, 1.56e-06, 1.48e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x160x64_4x1", "bfloat16", 0.828, 1.82e-07, 1.33e-06,
     {1.01, 1, 1, 1}, {8.96e-07, 3.98e-06, 4.2e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x16x64", "bfloat16", 0.78, 1.35e-07, 5.62e-07,
     {0.992, 1, 0.993, 1}, {8.19e-07, 1.02e-06, 9.79e-07, 2e-06, 2.03e-06, 1.98e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x192x64_2x1", "bfloat16", 0.835, 2.13e-07, 1.29e-06,
     {0.895, 1, 1, 1}, {9.45e-07, 4.02e-06, 4.25e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[2].
    {"tensor_core_64x32x64", "bfloat16", 0.78, 1.25e-07, 8.48e-07,
     {1, 1, 1, 1}, {8.44e-07, 1.08e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"tensor_core_64x64x64", "bfloat16", 0.473, 1.63e-07, 7.7e-07,
     {0.982, 0.983, 0.975, 1}, {1.41e-06, 3.86e-06, 4.06e-06, 3.36e-06, 2.98e-06, 3.08e-06, 1.09e-06}},
    // Not known: full.
    {"tensor_core_64x96x64_2x1", "bfloat16", 0.782, 1.55e-07, 1.1e-06,
     {0.835, 1, 1, 1}, {1.47e-06, 3.9e-06, 4.1e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"tensor_core_80x128x64_4x1", "bfloat16", 0.864, 1.66e-07, 1.41e-06,
     {1.02, 1, 1, 1}, {7.47e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1], store[2].
    {"tensor_core_ping_pong_128x128x64_1x2", "bfloat16", 0.94, 2.3e-07, 1.5e-06,
     {1.01, 1, 1, 1}, {6.99e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[1].
    {"pipelined_32x64x32", "double", 0.508, 8.13e-07, 4.15e-07,
     {1.17, 1.06, 1, 1}, {9.26e-07, 4e-06, 5.03e-07, 1.5e-06, 4e-06, 4e-06, 8.61e-07}},
    // Not known: full, step, fixed, store[1], store[2].
    {"skinny_1x32x512", "double", 0.78, 2.21e-07, 1.36e-06,
     {1.08, 1, 1, 1}, {1.08e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step, fixed, store[1].
    {"sm80_mma_f64_128x128x16", "double", 0.884, 9.9e-07, 6.65e-07,
     {0.92, 1, 1, 1}, {5.76e-06, 4e-06, 8.52e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"sm80_mma_f64_128x64x16", "double", 0.953, 4.36e-07, 1.45e-06,
     {0.942, 1.08, 1, 1}, {3.36e-06, 4e-06, 5.34e-06, 1.5e-06, 4e-06, 4e-06, 2.05e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x128x16", "double", 0.909, 6.56e-07, 1.74e-06,
     {0.984, 0.773, 1, 1}, {3.36e-06, 4e-06, 5.34e-06, 1.5e-06, 4e-06, 4e-06, 2.05e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x64x16", "double", 0.982, 4.05e-07, 1.64e-06,
     {0.913, 1.12, 1, 1}, {2.16e-06, 4e-06, 3.74e-06, 1.5e-06, 4e-06, 4e-06, 1.23e-06}},
    // Not known: full.
    {"sm80_mma_fp8_128x128x64", "e4m3", 0.78, 7.53e-07, 8.89e-07,
     {0.997, 1, 1, 1}, {4.22e-06, 8.81e-06, 7.5e-06, 1.5e-06, 4e-06, 4e-06, 3.38e-06}},
    // Not known: full.
    {"sm80_mma_fp8_64x64x128", "e4m3", 0.778, 6.95e-07, 8.06e-07,
     {0.984, 1.07, 1, 1}, {2.48e-06, 4.57e-06, 4.2e-06, 1.5e-06, 4e-06, 4e-06, 2.44e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x128x128", "e4m3", 0.887, 2.46e-07, 1.5e-06,
     {0.986, 1.02, 1, 1}, {1.87e-06, 4.25e-06, 4.28e-06, 1.5e-06, 4e-06, 4e-06, 1.87e-06}},
    // Not known: step.
    {"tensor_core_fp8_128x160x128", "e4m3", 0.91, 2.9e-07, 1.33e-06,
     {0.99, 1, 1, 1}, {1.29e-06, 4.43e-06, 4.47e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x176x128_2x1", "e4m3", 0.873, 3.5e-07, 1.1e-06,
     {0.982, 1, 1, 1}, {1.36e-06, 4.52e-06, 4.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x192x128_2x1", "e4m3", 0.877, 3.78e-07, 1.08e-06,
     {0.922, 1, 1, 1}, {1.43e-06, 4.6e-06, 4.66e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x256x128_1x2", "e4m3", 0.847, 5.34e-07, 9.58e-07,
     {0.989, 1, 1, 1}, {1.71e-06, 4.96e-06, 5.04e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x64x128_1x4", "e4m3", 0.78, 2.21e-07, 1.18e-06,
     {0.875, 1, 1, 1}, {1.43e-06, 3.9e-06, 3.9e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_16x64x128", "e4m3", 0.779, 1.05e-07, 4.71e-07,
     {1.08, 1, 1.1, 1}, {1.11e-06, 1.73e-06, 1.82e-06, 2.29e-06, 2.37e-06, 2.33e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_64x16x128", "e4m3", 0.78, 1.26e-07, 4.55e-07,
     {1, 1, 0.98, 1}, {1.11e-06, 1.21e-06, 1.14e-06, 2.29e-06, 2.37e-06, 2.33e-06, 1.5e-06}},
    {"tensor_core_fp8_64x64x128", "e4m3", 0.578, 1.71e-07, 9.96e-07,
     {1.01, 1.01, 0.958, 1}, {1.21e-06, 3.72e-06, 3.71e-06, 3.43e-06, 2.98e-06, 3.02e-06, 1.12e-06}},
    {"tensor_core_fp8_64x64x128_2x1", "e4m3", 0.718, 1.89e-07, 1.02e-06,
     {0.879, 1, 1, 1}, {1.21e-06, 3.72e-06, 3.71e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[1], store[2].
    {"persistent_64x128x32", "float", 0.765, 1.41e-06, 1.59e-06,
     {0.955, 1, 1, 1}, {2.36e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[1], store[2].
    {"persistent_64x64x32", "float", 0.667, 9.91e-07, 1.49e-06,
     {0.887, 1, 1, 1}, {2.07e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_128x32x16", "float", 0.623, 3.4e-07, 6.48e-07,
     {1.03, 1, 1, 1}, {9.19e-07, 7.93e-07, 6.59e-07, 1.5e-06, 4e-06, 4e-06, 7.79e-07}},
    {"pipelined_32x64x32", "float", 0.521, 5.17e-07, 6.41e-07,
     {0.946, 1.05, 1, 1}, {6.63e-07, 6.7e-07, 5.69e-07, 1.5e-06, 4e-06, 4e-06, 7.16e-07}},
    {"pipelined_48x128x16", "float", 0.7, 4.86e-07, 7.76e-07,
     {1.15, 0.969, 1, 1}, {1.17e-06, 9.16e-07, 7.5e-07, 1.5e-06, 4e-06, 4e-06, 8.43e-07}},
    // Not known: full, step, store[0], store[1], store[2].
    {"skinny_128x1x64", "float", 0.78, 2.63e-07, 1.43e-06,
     {1, 0.998, 1, 1}, {1.5e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.11e-06}},
    // Not known: full, step, store[2].
    {"skinny_1x32x512", "float", 0.78, 1.29e-07, 1.3e-06,
     {1.07, 1, 1, 1}, {9.67e-07, 1.17e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1].
    {"skinny_4x128x32", "float", 0.779, 3.15e-07, 1.17e-06,
     {1, 1, 1, 1}, {9.99e-07, 4e-06, 1.19e-06, 1.5e-06, 4e-06, 4e-06, 1.14e-06}},
    // Not known: full.
    {"skinny_64x8x64", "float", 0.779, 7.78e-07, 7.49e-07,
     {1, 1.01, 1, 1}, {9.99e-07, 1.2e-06, 1.19e-06, 1.5e-06, 4e-06, 4e-06, 1.14e-06}},
    // Not known: full, store[1], store[2].
    {"skinny_8x64x64", "float", 0.764, 8.57e-07, 9.62e-07,
     {1, 0.999, 1, 1}, {9.99e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.14e-06}},
    // Not known: full, step, store[1].
    {"small_16x16x16", "float", 0.639, 1.57e-07, 8.25e-07,
     {1.01, 1, 1, 1}, {8.29e-07, 4e-06, 2.28e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"small_32x32x32", "float", 0.832, 7.51e-07, 9.16e-07,
     {1.12, 1, 1, 1}, {9.08e-07, 4e-06, 2.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: fixed.
    {"warp_specialized_128x128x32", "float", 0.836, 1.97e-06, 9e-07,
     {0.976, 1, 1, 0.996}, {3.73e-06, 3.51e-06, 3.52e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"warp_specialized_128x16x32", "float", 0.71, 3.22e-07, 5.99e-07,
     {0.998, 1.01, 1, 1}, {2.21e-06, 2.19e-06, 2.06e-06, 1.5e-06, 4e-06, 4e-06, 2.33e-06}},
    // Not known: full.
    {"warp_specialized_128x64x32", "float", 0.86, 9.52e-07, 1.02e-06,
     {1.01, 1, 1, 1.01}, {2.86e-06, 2.76e-06, 2.69e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"warp_specialized_16x64x32", "float", 0.779, 2.33e-07, 4.24e-07,
     {0.896, 0.969, 0.91, 1}, {2.1e-06, 2.09e-06, 1.96e-06, 3.05e-06, 2.92e-06, 3.04e-06, 2.18e-06}},
    {"warp_specialized_64x64x32", "float", 0.79, 5.34e-07, 1.21e-06,
     {1.02, 1, 1.01, 1}, {2.43e-06, 2.38e-06, 2.27e-06, 3.93e-06, 3.62e-06, 3.27e-06, 1.5e-06}},
    // Not known: full, step, fixed, store[0], store[2].
    {"skinny_1x32x512", "int8", 0.773, 2.25e-07, 1.13e-06,
     {1.01, 1, 1, 1}, {1.23e-06, 1.72e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm80_mma_s8_128x128x64", "int8", 0.624, 4.58e-07, 1.18e-06,
     {0.916, 1.05, 1, 1}, {5.18e-06, 1.23e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.04e-06}},
    {"sm80_mma_s8_64x64x128", "int8", 0.409, 4.21e-07, 7.92e-07,
     {0.919, 0.964, 1, 1}, {2.53e-06, 4.41e-06, 4.39e-06, 1.5e-06, 4e-06, 4e-06, 2.08e-06}},
    // Not known: step, store[1], store[2].
    {"tensor_core_ping_pong_s8_128x128x128", "int8", 1.04, 1.81e-07, 1.29e-06,
     {1.03, 1, 1, 1}, {1.49e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step.
    {"tensor_core_s8_128x256x128_2x1", "int8", 0.952, 4.13e-07, 9.03e-07,
     {1.04, 1, 1, 1}, {2.96e-06, 5.29e-06, 6.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_s8_128x64x128_1x4", "int8", 0.793, 1.74e-07, 9.4e-07,
     {0.858, 1, 1, 1}, {1.58e-06, 4.27e-06, 4.78e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_s8_16x64x128", "int8", 0.775, 1.06e-07, 4.85e-07,
     {1.09, 1, 1.14, 1}, {1.01e-06, 1.54e-06, 1.66e-06, 2.21e-06, 2.25e-06, 2.24e-06, 1.5e-06}},
    // Not known: full, fixed.
    {"tensor_core_s8_64x16x128", "int8", 0.78, 1.31e-07, 3.87e-07,
     {1, 1, 0.98, 1}, {1.01e-06, 1.09e-06, 1.16e-06, 2.21e-06, 2.25e-06, 2.24e-06, 1.5e-06}},
    {"tensor_core_s8_64x64x128", "int8", 0.498, 1.44e-07, 6.11e-07,
     {0.99, 0.995, 0.953, 1}, {1.53e-06, 4.1e-06, 4.48e-06, 3.49e-06, 2.98e-06, 3.1e-06, 1.06e-06}},
    {"sm80_mma_tf32_128x128x16", "tf32", 0.538, 4.71e-07, 1.19e-06,
     {0.977, 1.04, 1, 1}, {5.57e-06, 1.2e-05, 1.11e-05, 1.5e-06, 4e-06, 4e-06, 3.14e-06}},
    {"sm80_mma_tf32_64x64x32", "tf32", 0.356, 4.36e-07, 7.6e-07,
     {0.923, 0.963, 1, 1}, {2.78e-06, 4.31e-06, 4.15e-06, 1.5e-06, 4e-06, 4e-06, 2.25e-06}},
    // Not known: step, store[1], store[2].
    {"tensor_core_ping_pong_tf32_128x128x32", "tf32", 0.983, 1.91e-07, 1.19e-06,
     {1.05, 1, 1, 1}, {1.85e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step.
    {"tensor_core_tf32_128x192x32", "tf32", 0.971, 3.04e-07, 6.12e-07,
     {1.05, 1, 1, 1}, {4.11e-06, 4.46e-06, 6.37e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_tf32_128x256x32", "tf32", 0.963, 4.06e-07, 7.81e-07,
     {1.01, 1.06, 1, 1}, {5.04e-06, 5.07e-06, 7.18e-06, 1.5e-06, 4e-06, 4e-06, 3.64e-06}},
    // Not known: full.
    {"tensor_core_tf32_128x96x32", "tf32", 0.845, 1.99e-07, 4.09e-07,
     {0.916, 1, 0.912, 1}, {2.71e-06, 3.54e-06, 5.15e-06, 5.77e-06, 4.51e-06, 4.37e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_tf32_16x64x32", "tf32", 0.78, 8.24e-08, 8.19e-07,
     {1.04, 1, 1, 1}, {1.24e-06, 1.22e-06, 2.97e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_tf32_64x128x32", "tf32", 0.812, 1.53e-07, 7.95e-07,
     {1.07, 1.07, 1, 1}, {2.24e-06, 3.23e-06, 4.75e-06, 1.5e-06, 4e-06, 4e-06, 1.49e-06}},
    // Not known: full, fixed.
    {"tensor_core_tf32_64x16x32", "tf32", 0.78, 1.56e-07, 5.72e-07,
     {0.999, 1, 0.997, 1}, {1.24e-06, 8.24e-07, 8.15e-07, 1.85e-06, 1.64e-06, 2.24e-06, 1.5e-06}},
    {"tensor_core_tf32_64x64x32", "tf32", 0.4, 1.32e-07, 7.23e-07,
     {0.983, 0.961, 0.937, 1}, {1.77e-06, 2.93e-06, 4.34e-06, 3.33e-06, 2.91e-06, 3.05e-06, 1.13e-06}},
};

inline constexpr device_rates nvidia_h200_device[] = {
    // Not known: launch, step_norm, cluster, last_blocks, narrow_packing.
    {.input = "bfloat16", .launch = 4.36e-07, .norm = 2.27, .step_norm = 7.36, .reached = 0.962,
     .cache_lines = 1.37e+11, .split_cache_line = 1.03, .shared = 0.145,
     .second_kernel = 1.41e-06, .second_slice = 9.36e-09, .slice_bandwidth = 2.97e+12,
     .cluster = 2.04e-08, .cluster_slice = 2.43e-08, .last_blocks = 3e-06,
     .packing = 1.3e-06, .packing_bandwidth = 3.45e+12, .narrow_packing = 3.36e-07,
     .narrow_copy = 5.92e-11, .element_copy = 1.77e-10},
    // Not known: launch, step_norm, reached, split_cache_line, cluster, cluster_slice, last_blocks, narrow_packing,
    // element_copy.
    {.input = "double", .launch = 4.14e-07, .norm = 2.57, .step_norm = 7.2, .reached = 0.91,
     .cache_lines = 1.28e+11, .split_cache_line = 0.474, .shared = 0.164,
     .second_kernel = 1.67e-06, .second_slice = 9.86e-09, .slice_bandwidth = 3.42e+12,
     .cluster = 3e-07, .cluster_slice = 1e-07, .last_blocks = 3e-06,
     .packing = 2.81e-06, .packing_bandwidth = 4.19e+12, .narrow_packing = 7.66e-07,
     .narrow_copy = 1.04e-10, .element_copy = 8e-11},
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks.
    {.input = "e4m3", .launch = 3.49e-07, .norm = 1.93, .step_norm = 6.66, .reached = 0.97,
     .cache_lines = 1.37e+11, .split_cache_line = 1.03, .shared = 0.19,
     .second_kernel = 1.38e-06, .second_slice = 8.86e-09, .slice_bandwidth = 2.95e+12,
     .cluster = 3.35e-08, .cluster_slice = 1.75e-08, .last_blocks = 3e-06,
     .packing = 1.71e-06, .packing_bandwidth = 4.35e+12, .narrow_packing = 4.74e-07,
     .narrow_copy = 2.75e-11, .element_copy = 8.6e-11},
    // Not known: launch, reached, split_cache_line, cluster, narrow_copy, element_copy.
    {.input = "float", .launch = 2.74e-07, .norm = 2.25, .step_norm = 3.29, .reached = 0.915,
     .cache_lines = 1.11e+11, .split_cache_line = 0.228, .shared = 0.155,
     .second_kernel = 1.67e-06, .second_slice = 1.07e-08, .slice_bandwidth = 1.9e+12,
     .cluster = 1.06e-07, .cluster_slice = 5.97e-08, .last_blocks = 5.03e-06,
     .packing = 1.45e-06, .packing_bandwidth = 4.89e+12, .narrow_packing = 8.21e-07,
     .narrow_copy = 4.54e-12, .element_copy = 8e-11},
    // Not known: launch, step_norm, cluster, last_blocks.
    {.input = "int8", .launch = 3.06e-07, .norm = 2.05, .step_norm = 4.33, .reached = 0.937,
     .cache_lines = 2.13e+11, .split_cache_line = 1.05, .shared = 0.131,
     .second_kernel = 1.66e-06, .second_slice = 1.04e-08, .slice_bandwidth = 2.83e+12,
     .cluster = 3.57e-08, .cluster_slice = 2.34e-08, .last_blocks = 3e-06,
     .packing = 1.8e-06, .packing_bandwidth = 4.3e+12, .narrow_packing = 4.33e-07,
     .narrow_copy = 2.84e-11, .element_copy = 9.47e-11},
    // Not known: launch, cluster, last_blocks, element_copy.
    {.input = "tf32", .launch = 2.67e-07, .norm = 2.66, .step_norm = 4.48, .reached = 0.923,
     .cache_lines = 1.59e+11, .split_cache_line = 0.728, .shared = 0.14,
     .second_kernel = 1.65e-06, .second_slice = 1.15e-08, .slice_bandwidth = 2.49e+12,
     .cluster = 3.48e-08, .cluster_slice = 2.91e-08, .last_blocks = 3e-06,
     .packing = 1.51e-06, .packing_bandwidth = 4.09e+12, .narrow_packing = 1.05e-07,
     .narrow_copy = 1.23e-10, .element_copy = 8e-11},
};

inline constexpr gpu_table nvidia_h200{
    .gpu = "NVIDIA H200", .major = 9, .minor = 0, .multiprocessors = 132,
    .clock = 1.98e+09, .bandwidth = 4.814e+12,
    .device = nvidia_h200_device, .policies = nvidia_h200_policies,
    .device_count = sizeof(nvidia_h200_device) / sizeof(device_rates),
    .policy_count = sizeof(nvidia_h200_policies) / sizeof(policy_rates)};

}  // namespace gemm::tables
// clang-format on
