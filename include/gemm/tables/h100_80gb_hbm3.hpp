// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rates of an NVIDIA H100 80GB HBM3; CUDA 13.0, 2026-11-28.
//! Written by gemm_calibrate, of 16816 times of candidates for 780 products; do not edit.
//! Not known: from these measurements. Such a rate is about what it began with.
#pragma once

#include <gemm/tables/rates.hpp>

// clang-format off
namespace gemm::tables {

inline constexpr policy_rates nvidia_h100_80gb_hbm3_policies[] = {
    // Not known: full.
    {"sm80_mma_128x128x32", "bfloat16", 0.817, 4.34e-07, 1.09e-06,
     {1.01, 1.15, 1, 1}, {5.54e-06, 1.33e-05, 1.2e-05, 1.5e-06, 4e-06, 4e-06, 3.41e-06}},
    {"sm80_mma_64x64x64", "bfloat16", 0.374, 4.2e-07, 1.04e-06,
     {0.999, 1.07, 1, 1}, {2.19e-06, 4.3e-06, 4.14e-06, 1.5e-06, 4e-06, 4e-06, 2.04e-06}},
    // Not known: step.
    {"tensor_core_128x128x64_2x2", "bfloat16", 0.89, 2.5e-07, 1.43e-06,
     {0.932, 1.04, 1, 1}, {1.79e-06, 4.06e-06, 3.65e-06, 1.5e-06, 4e-06, 4e-06, 1.99e-06}},
    // Not known: step.
    {"tensor_core_128x192x64_2x1", "bfloat16", 0.913, 3.6e-07, 1.73e-06,
     {0.943, 1, 1, 1}, {1.05e-06, 4.31e-06, 3.82e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_128x224x64", "bfloat16", 0.98, 3.93e-07, 1.89e-06,
     {1.03, 1, 1, 1}, {1.16e-06, 4.44e-06, 3.91e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_128x256x64_2x1", "bfloat16", 0.918, 4.83e-07, 1.74e-06,
     {0.965, 1, 1, 1}, {1.28e-06, 4.56e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_16x64x64", "bfloat16", 0.78, 1.28e-07, 4.68e-07,
     {1.01, 1, 1.09, 1}, {9.03e-07, 1.46e-06, 1.69e-06, 1.8e-06, 1.85e-06, 1.96e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_32x64x64", "bfloat16", 0.78, 1.3e-07, 8.55e-07,
     {0.969, 1, 1, 1}, {9.31e-07, 1.5e-06, 1.73e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x160x64_4x1", "bfloat16", 0.82, 1.88e-07, 1.6e-06,
     {0.986, 1, 1, 1}, {6.63e-07, 3.87e-06, 3.52e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x16x64", "bfloat16", 0.78, 1.3e-07, 7.04e-07,
     {1.01, 1, 0.974, 1}, {9.03e-07, 1.25e-06, 1.2e-06, 1.8e-06, 1.85e-06, 1.96e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_64x192x64_2x1", "bfloat16", 0.787, 2.58e-07, 1.52e-06,
     {0.93, 1, 1, 1}, {7.19e-07, 3.93e-06, 3.56e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step.
    {"tensor_core_64x32x64", "bfloat16", 0.78, 9.41e-08, 1.18e-06,
     {0.988, 1, 1, 1}, {9.31e-07, 1.29e-06, 1.23e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_64x64x64", "bfloat16", 0.361, 1.32e-07, 5.17e-07,
     {1.01, 0.978, 0.976, 1}, {1.14e-06, 3.68e-06, 3.38e-06, 3.1e-06, 3.34e-06, 3.2e-06, 1.4e-06}},
    // Not known: full.
    {"tensor_core_64x96x64_2x1", "bfloat16", 0.78, 1.78e-07, 1.38e-06,
     {0.874, 1, 1, 1}, {1.24e-06, 3.74e-06, 3.43e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"tensor_core_80x128x64_4x1", "bfloat16", 0.853, 1.72e-07, 1.66e-06,
     {1.01, 1, 1, 1}, {6e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1], store[2].
    {"tensor_core_ping_pong_128x128x64_1x2", "bfloat16", 0.91, 2.43e-07, 1.64e-06,
     {1, 1, 1, 1}, {5.95e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm80_mma_fp8_128x128x64", "e4m3", 0.78, 7.55e-07, 1.06e-06,
     {0.996, 1.01, 1, 1}, {4.13e-06, 8.66e-06, 8.05e-06, 1.5e-06, 4e-06, 4e-06, 3.51e-06}},
    // Not known: full.
    {"sm80_mma_fp8_64x64x128", "e4m3", 0.778, 6.79e-07, 8.7e-07,
     {1.01, 1.04, 1, 1}, {2.51e-06, 4.62e-06, 4.34e-06, 1.5e-06, 4e-06, 4e-06, 2.93e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x128x128", "e4m3", 0.857, 2.6e-07, 1.61e-06,
     {1.01, 1.09, 1, 1}, {1.93e-06, 4.19e-06, 4.06e-06, 1.5e-06, 4e-06, 4e-06, 2.44e-06}},
    // Not known: step.
    {"tensor_core_fp8_128x160x128", "e4m3", 0.888, 3.03e-07, 1.38e-06,
     {1.03, 1, 1, 1}, {1.38e-06, 4.43e-06, 4.25e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x176x128_2x1", "e4m3", 0.85, 3.7e-07, 1.16e-06,
     {0.973, 1, 1, 1}, {1.46e-06, 4.55e-06, 4.34e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x192x128_2x1", "e4m3", 0.863, 3.95e-07, 1.1e-06,
     {0.964, 1, 1, 1}, {1.54e-06, 4.67e-06, 4.43e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x256x128_1x2", "e4m3", 0.834, 5.55e-07, 8.75e-07,
     {1.03, 1, 1, 1}, {1.86e-06, 5.15e-06, 4.8e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_128x64x128_1x4", "e4m3", 0.78, 2.29e-07, 1.41e-06,
     {0.946, 1, 1, 1}, {1.43e-06, 3.71e-06, 3.69e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_16x64x128", "e4m3", 0.78, 1.28e-07, 4.62e-07,
     {1.02, 1, 1.07, 1}, {1.32e-06, 2.37e-06, 2.07e-06, 2.17e-06, 2.07e-06, 2.37e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_64x16x128", "e4m3", 0.78, 1.31e-07, 5.23e-07,
     {0.953, 1, 1, 1}, {1.32e-06, 1.69e-06, 1.67e-06, 2.17e-06, 2.07e-06, 2.37e-06, 1.5e-06}},
    // Not known: step.
    {"tensor_core_fp8_64x64x128", "e4m3", 0.366, 1.28e-07, 6.57e-07,
     {1.01, 1.03, 0.934, 1}, {1.19e-06, 3.48e-06, 3.51e-06, 3.5e-06, 3.42e-06, 3.49e-06, 1.5e-06}},
    // Not known: full.
    {"tensor_core_fp8_64x64x128_2x1", "e4m3", 0.775, 2.56e-07, 1.32e-06,
     {0.866, 1, 1, 1}, {1.19e-06, 3.48e-06, 3.51e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_64x128x32", "float", 0.761, 1.36e-06, 1.53e-06,
     {0.995, 1, 1, 1}, {4.59e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_64x64x32", "float", 0.648, 9.44e-07, 1.37e-06,
     {1.03, 1, 1, 1}, {3.67e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_128x32x16", "float", 0.652, 3.82e-07, 6.35e-07,
     {1.05, 1.02, 1, 1}, {9.19e-07, 8.55e-07, 8.07e-07, 1.5e-06, 4e-06, 4e-06, 8.57e-07}},
    {"pipelined_32x64x32", "float", 0.561, 5.21e-07, 6.96e-07,
     {0.96, 0.997, 1, 1}, {6.94e-07, 7.17e-07, 7.16e-07, 1.5e-06, 4e-06, 4e-06, 8.08e-07}},
    {"pipelined_48x128x16", "float", 0.721, 5.38e-07, 7.41e-07,
     {1.05, 0.957, 1, 1}, {1.14e-06, 9.94e-07, 8.98e-07, 1.5e-06, 4e-06, 4e-06, 9.07e-07}},
    // Not known: full, store[0], store[1].
    {"skinny_128x1x64", "float", 0.78, 5.25e-07, 1.28e-06,
     {1, 1.01, 1, 1}, {1.5e-06, 4e-06, 9.66e-07, 1.5e-06, 4e-06, 4e-06, 1.02e-06}},
    // Not known: full, step.
    {"skinny_1x32x512", "float", 0.779, 2.12e-07, 1.38e-06,
     {1, 1, 1, 1}, {9.98e-07, 1.03e-06, 9.6e-07, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1].
    {"skinny_4x128x32", "float", 0.782, 5.72e-07, 8.48e-07,
     {1, 0.977, 1, 1}, {1.03e-06, 4e-06, 9.91e-07, 1.5e-06, 4e-06, 4e-06, 1.04e-06}},
    // Not known: full.
    {"skinny_64x8x64", "float", 0.778, 8.08e-07, 8.56e-07,
     {1.06, 1, 1, 1}, {1.03e-06, 1.06e-06, 9.91e-07, 1.5e-06, 4e-06, 4e-06, 1.04e-06}},
    // Not known: full, fixed, store[0], store[1], store[2].
    {"skinny_8x64x64", "float", 0.783, 6.19e-07, 1.17e-06,
     {1, 0.996, 1, 1}, {1.5e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.04e-06}},
    // Not known: fixed.
    {"warp_specialized_128x128x32", "float", 0.833, 2.01e-06, 7.67e-07,
     {0.956, 1, 1, 0.996}, {3.58e-06, 3.29e-06, 3.76e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"warp_specialized_128x16x32", "float", 0.73, 3.09e-07, 7.16e-07,
     {1.04, 0.991, 1, 1}, {2.13e-06, 2.23e-06, 2.23e-06, 1.5e-06, 4e-06, 4e-06, 2.29e-06}},
    // Not known: full.
    {"warp_specialized_128x64x32", "float", 0.861, 9.44e-07, 1.25e-06,
     {1.02, 1, 1, 1}, {2.75e-06, 2.68e-06, 2.89e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"warp_specialized_16x64x32", "float", 0.78, 2.25e-07, 5.6e-07,
     {0.992, 1, 0.999, 1}, {2.03e-06, 2.15e-06, 2.13e-06, 3.16e-06, 3.1e-06, 3.13e-06, 2.1e-06}},
    {"warp_specialized_64x64x32", "float", 0.805, 5.26e-07, 1.3e-06,
     {0.971, 1, 0.92, 1}, {2.34e-06, 2.38e-06, 2.45e-06, 3.99e-06, 3.7e-06, 3.46e-06, 1.5e-06}},
};

inline constexpr device_rates nvidia_h100_80gb_hbm3_device[] = {
    // Not known: launch, step_norm, cluster, last_blocks, narrow_packing.
    {.input = "bfloat16", .launch = 4.07e-07, .norm = 2.44, .step_norm = 8.75, .reached = 0.936,
     .cache_lines = 1.19e+11, .split_cache_line = 0.587, .shared = 0.12,
     .second_kernel = 1.46e-06, .second_slice = 8.51e-09, .slice_bandwidth = 2.97e+12,
     .cluster = 4.69e-08, .cluster_slice = 5.42e-08, .last_blocks = 3e-06,
     .packing = 1.5e-06, .packing_bandwidth = 2.67e+12, .narrow_packing = 3.91e-07,
     .narrow_copy = 6.67e-11, .element_copy = 1.89e-10},
    // Not known: launch, step_norm, cluster, last_blocks.
    {.input = "e4m3", .launch = 3.47e-07, .norm = 2.77, .step_norm = 7.28, .reached = 0.92,
     .cache_lines = 1.07e+11, .split_cache_line = 0.355, .shared = 0.181,
     .second_kernel = 1.11e-06, .second_slice = 1.06e-08, .slice_bandwidth = 2.95e+12,
     .cluster = 5.39e-08, .cluster_slice = 4.49e-08, .last_blocks = 3e-06,
     .packing = 1.61e-06, .packing_bandwidth = 3.41e+12, .narrow_packing = 4.81e-07,
     .narrow_copy = 2.41e-11, .element_copy = 1.04e-10},
    // Not known: launch, step_norm, reached, split_cache_line, cluster, element_copy.
    {.input = "float", .launch = 3.32e-07, .norm = 1.96, .step_norm = 3.84, .reached = 0.912,
     .cache_lines = 1.83e+11, .split_cache_line = 0.296, .shared = 0.124,
     .second_kernel = 1.78e-06, .second_slice = 9.59e-09, .slice_bandwidth = 1.6e+12,
     .cluster = 5.25e-08, .cluster_slice = 6.29e-08, .last_blocks = 4.01e-06,
     .packing = 1.67e-06, .packing_bandwidth = 3.2e+12, .narrow_packing = 6.32e-07,
     .narrow_copy = 5.66e-12, .element_copy = 8e-11},
};

inline constexpr gpu_table nvidia_h100_80gb_hbm3{
    .gpu = "NVIDIA H100 80GB HBM3", .major = 9, .minor = 0, .multiprocessors = 132,
    .clock = 1.98e+09, .bandwidth = 3.352e+12,
    .device = nvidia_h100_80gb_hbm3_device, .policies = nvidia_h100_80gb_hbm3_policies,
    .device_count = sizeof(nvidia_h100_80gb_hbm3_device) / sizeof(device_rates),
    .policy_count = sizeof(nvidia_h100_80gb_hbm3_policies) / sizeof(policy_rates)};

}  // namespace gemm::tables
// clang-format on
