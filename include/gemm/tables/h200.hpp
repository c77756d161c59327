// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rates of an NVIDIA H200; CUDA 13.0, 2026-11-29.
//! Written by gemm_calibrate, of 27381 times of candidates for 1254 products; do not edit.
//! Not known: from these measurements. Such a rate is about what it began with.
#pragma once

#include <gemm/tables/rates.hpp>

// clang-format off
namespace gemm::tables {

inline constexpr policy_rates nvidia_h200_policies[] = {
    // Not known: full, fixed.
    {"sm80_mma_128x128x32", "bfloat16", 0.753, 4.78e-07, 1.12e-06,
     {1, 1.08, 1, 1}, {5.44e-06, 1.3e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.08e-06}},
    {"sm80_mma_64x64x64", "bfloat16", 0.378, 4.36e-07, 8.93e-07,
     {0.993, 0.996, 1, 1}, {2.3e-06, 4.41e-06, 4.45e-06, 1.5e-06, 4e-06, 4e-06, 1.94e-06}},
    // Not known: full.
    {"tensor_core_128x128x64_2x2", "bfloat16", 0.909, 2.41e-07, 1.17e-06,
     {1, 0.996, 1, 1}, {2.14e-06, 4.35e-06, 4.6e-06, 1.5e-06, 4e-06, 4e-06, 2.02e-06}},
    // Not known: step.
    {"tensor_core_128x192x64_2x1", "bfloat16", 0.916, 3.54e-07, 1.46e-06,
     {0.985, 1, 1, 1}, {1.4e-06, 4.48e-06, 4.78e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_128x224x64", "bfloat16", 0.956, 3.9e-07, 1.61e-06,
     {1.04, 1, 1, 1}, {1.52e-06, 4.54e-06, 4.88e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_128x256x64_2x1", "bfloat16", 0.912, 4.74e-07, 1.49e-06,
     {1.03, 1, 1, 1}, {1.64e-06, 4.61e-06, 4.97e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_128x64x64", "bfloat16", 0.783, 2.01e-07, 8.26e-07,
     {0.957, 1, 0.957, 1}, {1.79e-06, 4.22e-06, 4.41e-06, 4.45e-06, 3.7e-06, 3.7e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_16x64x64", "bfloat16", 0.78, 1.2e-07, 5.27e-07,
     {1.05, 1, 1.15, 1}, {8.61e-07, 1.57e-06, 1.5e-06, 2.17e-06, 2.17e-06, 2.13e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_32x64x64", "bfloat16", 0.779, 1.19e-07, 1.19e-06,
     {1.05, 1, 1, 1}, {8.86e-07, 1.6e-06, 1.53e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x16x64", "bfloat16", 0.78, 1.37e-07, 5.88e-07,
     {0.993, 1, 0.989, 1}, {8.61e-07, 1.06e-06, 1.02e-06, 2.17e-06, 2.17e-06, 2.13e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x192x64_2x1", "bfloat16", 0.83, 2.15e-07, 1.26e-06,
     {0.957, 1, 1, 1}, {1.04e-06, 4.28e-06, 4.5e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[2].
    {"tensor_core_64x32x64", "bfloat16", 0.78, 1.31e-07, 8.67e-07,
     {1, 1, 1, 1}, {8.86e-07, 1.12e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"tensor_core_64x64x64", "bfloat16", 0.475, 1.68e-07, 6.63e-07,
     {1.02, 1.02, 1.01, 1}, {1.62e-06, 4.15e-06, 4.31e-06, 3.59e-06, 3.29e-06, 3.36e-06, 1.14e-06}},
    // Not known: full.
    {"tensor_core_64x96x64_2x1", "bfloat16", 0.782, 1.56e-07, 9.44e-07,
     {0.957, 1, 1, 1}, {1.71e-06, 4.18e-06, 4.36e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"tensor_core_80x128x64_4x1", "bfloat16", 0.859, 1.68e-07, 1.44e-06,
     {1.04, 1, 1, 1}, {7.96e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1], store[2].
    {"tensor_core_ping_pong_128x128x64_1x2", "bfloat16", 0.933, 2.32e-07, 1.49e-06,
     {1.04, 1, 1, 1}, {7.93e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[1].
    {"pipelined_32x64x32", "double", 0.508, 8.1e-07, 4.15e-07,
     {1.15, 1.06, 1, 1}, {9.29e-07, 4e-06, 4.95e-07, 1.5e-06, 4e-06, 4e-06, 8.58e-07}},
    // Not known: full, step, fixed, store[1], store[2].
    {"skinny_1x32x512", "double", 0.78, 2.21e-07, 1.36e-06,
     {1.08, 1, 1, 1}, {1.08e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step, fixed, store[1].
    {"sm80_mma_f64_128x128x16", "double", 0.884, 9.93e-07, 6.64e-07,
     {0.923, 1, 1, 1}, {5.77e-06, 4e-06, 8.52e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"sm80_mma_f64_128x64x16", "double", 0.957, 4.45e-07, 1.45e-06,
     {0.942, 1.09, 1, 1}, {3.36e-06, 4e-06, 5.33e-06, 1.5e-06, 4e-06, 4e-06, 2.05e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x128x16", "double", 0.905, 6.56e-07, 1.74e-06,
     {0.983, 0.918, 1, 1}, {3.36e-06, 4e-06, 5.33e-06, 1.5e-06, 4e-06, 4e-06, 2.05e-06}},
    // Not known: store[1].
    {"sm80_mma_f64_64x64x16", "double", 0.979, 4.04e-07, 1.64e-06,
     {0.918, 1.12, 1, 1}, {2.16e-06, 4e-06, 3.74e-06, 1.5e-06, 4e-06, 4e-06, 1.22e-06}},
    // Not known: full.
    {"sm80_mma_fp8_128x128x64", "e4m3", 0.78, 7.53e-07, 9.46e-07,
     {0.996, 1, 1, 1}, {4.14e-06, 8.76e-06, 7.41e-06, 1.5e-06, 4e-06, 4e-06, 3.33e-06}},
    // Not known: full.
    {"sm80_mma_fp8_64x64x128", "e4m3", 0.779, 6.88e-07, 8.14e-07,
     {0.988, 1.08, 1, 1}, {2.48e-06, 4.56e-06, 4.19e-06, 1.5e-06, 4e-06, 4e-06, 2.44e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x128x128", "e4m3", 0.893, 2.52e-07, 1.51e-06,
     {0.99, 1.02, 1, 1}, {1.85e-06, 4.23e-06, 4.24e-06, 1.5e-06, 4e-06, 4e-06, 1.87e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x160x128", "e4m3", 0.92, 2.99e-07, 1.36e-06,
     {0.992, 1, 1, 1}, {1.26e-06, 4.4e-06, 4.42e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x176x128_2x1", "e4m3", 0.872, 3.51e-07, 1.14e-06,
     {0.988, 1, 1, 1}, {1.33e-06, 4.48e-06, 4.5e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x192x128_2x1", "e4m3", 0.879, 3.77e-07, 1.11e-06,
     {0.978, 1, 1, 1}, {1.4e-06, 4.56e-06, 4.59e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x256x128_1x2", "e4m3", 0.849, 5.35e-07, 9.92e-07,
     {0.989, 1, 1, 1}, {1.67e-06, 4.89e-06, 4.94e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x256x128_2x1", "e4m3", 0.834, 5.55e-07, 1.03e-06,
     {1.01, 1, 1, 1}, {1.67e-06, 4.89e-06, 4.94e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x64x128_1x4", "e4m3", 0.785, 2.19e-07, 1.17e-06,
     {0.978, 1, 1, 1}, {1.44e-06, 3.9e-06, 3.9e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_16x64x128", "e4m3", 0.78, 1.03e-07, 4.74e-07,
     {1.08, 1, 1.1, 1}, {1.12e-06, 1.74e-06, 1.83e-06, 2.28e-06, 2.36e-06, 2.33e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_64x16x128", "e4m3", 0.78, 1.25e-07, 4.65e-07,
     {1, 1, 0.98, 1}, {1.12e-06, 1.21e-06, 1.15e-06, 2.28e-06, 2.36e-06, 2.33e-06, 1.5e-06}},
    {"tensor_core_fp8_64x64x128", "e4m3", 0.582, 1.71e-07, 9.71e-07,
     {1.02, 1.02, 0.978, 1}, {1.23e-06, 3.74e-06, 3.72e-06, 3.43e-06, 3e-06, 3.05e-06, 1.14e-06}},
    // Not known: full.
    {"tensor_core_fp8_64x64x128_2x1", "e4m3", 0.742, 1.86e-07, 9.94e-07,
     {0.978, 1, 1, 1}, {1.23e-06, 3.74e-06, 3.72e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[1], store[2].
    {"persistent_128x64x32", "float", 0.757, 1.38e-06, 1.45e-06,
     {0.958, 1, 1, 1}, {2.46e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[1], store[2].
    {"persistent_64x64x32", "float", 0.668, 9.85e-07, 1.46e-06,
     {0.914, 1, 1, 1}, {2.06e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_128x32x16", "float", 0.625, 3.38e-07, 6.58e-07,
     {1.03, 1, 1, 1}, {8.96e-07, 7.71e-07, 6.43e-07, 1.5e-06, 4e-06, 4e-06, 7.64e-07}},
    {"pipelined_32x64x32", "float", 0.521, 5.13e-07, 6.49e-07,
     {0.949, 1.05, 1, 1}, {6.46e-07, 6.54e-07, 5.54e-07, 1.5e-06, 4e-06, 4e-06, 7.01e-07}},
    {"pipelined_48x128x16", "float", 0.7, 4.82e-07, 7.82e-07,
     {1.14, 0.97, 1, 1}, {1.15e-06, 8.88e-07, 7.31e-07, 1.5e-06, 4e-06, 4e-06, 8.27e-07}},
    // Not known: full, store[0], store[1], store[2].
    {"skinny_128x1x64", "float", 0.78, 3.8e-07, 1.27e-06,
     {1, 0.998, 1, 1}, {1.5e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.09e-06}},
    // Not known: full, step, store[2].
    {"skinny_1x32x512", "float", 0.78, 1.3e-07, 1.32e-06,
     {1.07, 1, 1, 1}, {9.5e-07, 1.16e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1].
    {"skinny_4x128x32", "float", 0.779, 3.16e-07, 1.18e-06,
     {1, 1, 1, 1}, {9.82e-07, 4e-06, 1.17e-06, 1.5e-06, 4e-06, 4e-06, 1.12e-06}},
    // Not known: full.
    {"skinny_64x8x64", "float", 0.779, 7.83e-07, 7.56e-07,
     {1, 1.01, 1, 1}, {9.82e-07, 1.19e-06, 1.17e-06, 1.5e-06, 4e-06, 4e-06, 1.12e-06}},
    // Not known: full, store[1], store[2].
    {"skinny_8x64x64", "float", 0.763, 8.59e-07, 9.66e-07,
     {1, 0.998, 1, 1}, {9.82e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.12e-06}},
    // Not known: full, step, store[1].
    {"small_16x16x16", "float", 0.641, 1.58e-07, 8.24e-07,
     {1.01, 1, 1, 1}, {8.13e-07, 4e-06, 2.24e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1].
    {"small_32x32x32", "float", 0.843, 7.28e-07, 9.07e-07,
     {1.12, 1, 1, 1}, {8.94e-07, 4e-06, 2.52e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: fixed.
    {"warp_specialized_128x128x32", "float", 0.835, 1.95e-06, 9.03e-07,
     {0.976, 1, 1, 0.996}, {3.69e-06, 3.52e-06, 3.55e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"warp_specialized_128x16x32", "float", 0.711, 3.19e-07, 5.95e-07,
     {0.998, 1.01, 1, 1}, {2.2e-06, 2.18e-06, 2.07e-06, 1.5e-06, 4e-06, 4e-06, 2.33e-06}},
    // Not known: full.
    {"warp_specialized_128x64x32", "float", 0.862, 9.42e-07, 1.02e-06,
     {1.01, 1, 1, 1.01}, {2.84e-06, 2.76e-06, 2.71e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"warp_specialized_16x64x32", "float", 0.779, 2.32e-07, 4.23e-07,
     {0.914, 0.97, 0.914, 1}, {2.09e-06, 2.09e-06, 1.97e-06, 3.05e-06, 2.91e-06, 3.04e-06, 2.18e-06}},
    {"warp_specialized_64x64x32", "float", 0.79, 5.28e-07, 1.21e-06,
     {1.02, 1, 1.01, 1}, {2.41e-06, 2.37e-06, 2.29e-06, 3.92e-06, 3.64e-06, 3.27e-06, 1.5e-06}},
    // Not known: full, step, fixed, store[0], store[2].
    {"skinny_1x32x512", "int8", 0.773, 2.25e-07, 1.13e-06,
     {1.01, 1, 1, 1}, {1.23e-06, 1.72e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm80_mma_s8_128x128x64", "int8", 0.619, 4.59e-07, 1.18e-06,
     {0.939, 1.05, 1, 1}, {5.19e-06, 1.23e-05, 1.17e-05, 1.5e-06, 4e-06, 4e-06, 3.04e-06}},
    {"sm80_mma_s8_64x64x128", "int8", 0.407, 4.21e-07, 7.86e-07,
     {0.939, 0.968, 1, 1}, {2.54e-06, 4.42e-06, 4.39e-06, 1.5e-06, 4e-06, 4e-06, 2.09e-06}},
    // Not known: step, store[1], store[2].
    {"tensor_core_ping_pong_s8_128x128x128", "int8", 1, 1.66e-07, 1.3e-06,
     {1.03, 1, 1, 1}, {1.48e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_s8_128x256x128_2x1", "int8", 0.943, 4.07e-07, 9.05e-07,
     {1.04, 1, 1, 1}, {2.96e-06, 5.28e-06, 6.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_s8_128x64x128_1x4", "int8", 0.792, 1.74e-07, 9.33e-07,
     {0.939, 1, 1, 1}, {1.59e-06, 4.27e-06, 4.78e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_s8_16x64x128", "int8", 0.776, 1.06e-07, 4.86e-07,
     {1.09, 1, 1.14, 1}, {1.01e-06, 1.54e-06, 1.66e-06, 2.22e-06, 2.26e-06, 2.25e-06, 1.5e-06}},
    // Not known: full, fixed.
    {"tensor_core_s8_64x16x128", "int8", 0.78, 1.31e-07, 3.88e-07,
     {1, 1, 0.98, 1}, {1.01e-06, 1.08e-06, 1.16e-06, 2.22e-06, 2.26e-06, 2.25e-06, 1.5e-06}},
    {"tensor_core_s8_64x64x128", "int8", 0.496, 1.45e-07, 6.06e-07,
     {0.995, 0.999, 0.957, 1}, {1.54e-06, 4.1e-06, 4.49e-06, 3.49e-06, 2.99e-06, 3.11e-06, 1.06e-06}},
    {"sm80_mma_tf32_128x128x16", "tf32", 0.538, 4.71e-07, 1.19e-06,
     {0.978, 1.04, 1, 1}, {5.56e-06, 1.2e-05, 1.11e-05, 1.5e-06, 4e-06, 4e-06, 3.15e-06}},
    {"sm80_mma_tf32_64x64x32", "tf32", 0.356, 4.36e-07, 7.61e-07,
     {0.924, 0.963, 1, 1}, {2.78e-06, 4.31e-06, 4.15e-06, 1.5e-06, 4e-06, 4e-06, 2.26e-06}},
    // Not known: full, step, store[1], store[2].
    {"tensor_core_ping_pong_tf32_128x128x32", "tf32", 0.993, 1.97e-07, 1.19e-06,
     {1.05, 1, 1, 1}, {1.85e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step.
    {"tensor_core_tf32_128x192x32", "tf32", 0.971, 3.04e-07, 6.13e-07,
     {1.05, 1, 1, 1}, {4.11e-06, 4.46e-06, 6.36e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_tf32_128x256x32", "tf32", 0.962, 4.05e-07, 7.81e-07,
     {1.01, 1.06, 1, 1}, {5.04e-06, 5.07e-06, 7.18e-06, 1.5e-06, 4e-06, 4e-06, 3.64e-06}},
    // Not known: full.
    {"tensor_core_tf32_128x96x32", "tf32", 0.845, 1.99e-07, 4.13e-07,
     {0.923, 1, 0.923, 1}, {2.7e-06, 3.54e-06, 5.15e-06, 5.78e-06, 4.54e-06, 4.4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_tf32_16x64x32", "tf32", 0.78, 8.24e-08, 8.18e-07,
     {1.04, 1, 1, 1}, {1.24e-06, 1.22e-06, 2.97e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_tf32_64x128x32", "tf32", 0.813, 1.53e-07, 7.98e-07,
     {1.07, 1.07, 1, 1}, {2.23e-06, 3.23e-06, 4.74e-06, 1.5e-06, 4e-06, 4e-06, 1.49e-06}},
    // Not known: full, fixed.
    {"tensor_core_tf32_64x16x32", "tf32", 0.78, 1.56e-07, 5.73e-07,
     {0.999, 1, 0.997, 1}, {1.24e-06, 8.22e-07, 8.14e-07, 1.87e-06, 1.67e-06, 2.26e-06, 1.5e-06}},
    {"tensor_core_tf32_64x64x32", "tf32", 0.4, 1.32e-07, 7.29e-07,
     {0.983, 0.961, 0.938, 1}, {1.77e-06, 2.92e-06, 4.34e-06, 3.34e-06, 2.93e-06, 3.07e-06, 1.13e-06}},
};

inline constexpr device_rates nvidia_h200_device[] = {
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks, narrow_packing.
    {.input = "bfloat16", .launch = 3.66e-07, .norm = 2.45, .step_norm = 6.96, .reached = 0.957,
     .cache_lines = 1.46e+11, .split_cache_line = 1.24, .shared = 0.139, .second_kernel = 1.6e-06,
     .second_slice = 9.76e-09, .slice_bandwidth = 2.83e+12, .cluster = 1.49e-08, .cluster_slice = 1.53e-08,
     .last_blocks = 3e-06, .packing = 1.3e-06, .packing_bandwidth = 3.41e+12, .narrow_packing = 3.38e-07,
     .narrow_copy = 5.61e-11, .element_copy = 1.72e-10},
    // Not known: launch, step_norm, reached, split_cache_line, cluster, cluster_slice, last_blocks, narrow_packing,
    // element_copy.
    {.input = "double", .launch = 4.14e-07, .norm = 2.62, .step_norm = 7.18, .reached = 0.918,
     .cache_lines = 1.26e+11, .split_cache_line = 0.468, .shared = 0.165, .second_kernel = 1.68e-06,
     .second_slice = 9.88e-09, .slice_bandwidth = 3.41e+12, .cluster = 3e-07, .cluster_slice = 1e-07,
     .last_blocks = 3e-06, .packing = 2.81e-06, .packing_bandwidth = 4.18e+12, .narrow_packing = 7.66e-07,
     .narrow_copy = 1.05e-10, .element_copy = 8e-11},
    // Not known: launch, step_norm, cluster, cluster_slice, last_blocks.
    {.input = "e4m3", .launch = 3.51e-07, .norm = 1.9, .step_norm = 7.13, .reached = 0.978, .cache_lines = 1.38e+11,
     .split_cache_line = 1.01, .shared = 0.19, .second_kernel = 1.37e-06, .second_slice = 8.75e-09,
     .slice_bandwidth = 2.97e+12, .cluster = 3.38e-08, .cluster_slice = 1.77e-08, .last_blocks = 3e-06,
     .packing = 1.71e-06, .packing_bandwidth = 4.34e+12, .narrow_packing = 4.69e-07, .narrow_copy = 2.75e-11,
     .element_copy = 8.67e-11},
    // Not known: launch, reached, split_cache_line, cluster, narrow_copy, element_copy.
    {.input = "float", .launch = 2.76e-07, .norm = 2.27, .step_norm = 3.2, .reached = 0.914, .cache_lines = 1.11e+11,
     .split_cache_line = 0.229, .shared = 0.161, .second_kernel = 1.67e-06, .second_slice = 1.08e-08,
     .slice_bandwidth = 1.9e+12, .cluster = 9.09e-08, .cluster_slice = 6.01e-08, .last_blocks = 5.04e-06,
     .packing = 1.39e-06, .packing_bandwidth = 4.91e+12, .narrow_packing = 8.58e-07, .narrow_copy = 4.09e-12,
     .element_copy = 8e-11},
    // Not known: launch, step_norm, cluster, last_blocks.
    {.input = "int8", .launch = 3.06e-07, .norm = 2.07, .step_norm = 4.35, .reached = 0.939, .cache_lines = 2.13e+11,
     .split_cache_line = 1.06, .shared = 0.13, .second_kernel = 1.66e-06, .second_slice = 1.04e-08,
     .slice_bandwidth = 2.82e+12, .cluster = 5.35e-08, .cluster_slice = 2.29e-08, .last_blocks = 3e-06,
     .packing = 1.81e-06, .packing_bandwidth = 4.3e+12, .narrow_packing = 4.33e-07, .narrow_copy = 2.84e-11,
     .element_copy = 9.47e-11},
    // Not known: launch, cluster, last_blocks, element_copy.
    {.input = "tf32", .launch = 2.68e-07, .norm = 2.66, .step_norm = 4.48, .reached = 0.923, .cache_lines = 1.58e+11,
     .split_cache_line = 0.728, .shared = 0.139, .second_kernel = 1.65e-06, .second_slice = 1.15e-08,
     .slice_bandwidth = 2.49e+12, .cluster = 2.12e-08, .cluster_slice = 3.13e-08, .last_blocks = 3e-06,
     .packing = 1.52e-06, .packing_bandwidth = 4.09e+12, .narrow_packing = 1.05e-07, .narrow_copy = 1.23e-10,
     .element_copy = 8e-11},
};

inline constexpr gpu_table nvidia_h200{
    .gpu = "NVIDIA H200", .major = 9, .minor = 0, .multiprocessors = 132,
    .clock = 1.98e+09, .bandwidth = 4.814e+12,
    .device = nvidia_h200_device, .policies = nvidia_h200_policies,
    .device_count = sizeof(nvidia_h200_device) / sizeof(device_rates),
    .policy_count = sizeof(nvidia_h200_policies) / sizeof(policy_rates)};

}  // namespace gemm::tables
// clang-format on
