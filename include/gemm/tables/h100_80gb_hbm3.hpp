// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rates of an NVIDIA H100 80GB HBM3; CUDA 13.0, 2026-11-28.
//! Written by gemm_calibrate, of 18486 times of candidates for 780 products; do not edit.
//! Not known: from these measurements. Such a rate is about what it began with.
#pragma once

#include <gemm/tables/rates.hpp>

// clang-format off
namespace gemm::tables {

inline constexpr policy_rates nvidia_h100_80gb_hbm3_policies[] = {
    // Not known: full.
    {"sm80_mma_128x128x32", "bfloat16", 1.362, 4.42e-07, 1e-06,
     {1.03, 1.16, 1, 1}, {5.78e-06, 1.35e-05, 1.22e-05, 1.5e-06, 4e-06, 4e-06, 3.4e-06}},
    {"sm80_mma_64x64x64", "bfloat16", 0.62, 4.32e-07, 1.03e-06,
     {1.02, 1.09, 1, 1}, {2.27e-06, 4.4e-06, 4.21e-06, 1.5e-06, 4e-06, 4e-06, 2e-06}},
    // Not known: full.
    {"sm90_wgmma_128x128x64_2x2", "bfloat16", 0.921, 2.46e-07, 1.19e-06,
     {0.963, 1.07, 1, 1}, {2.14e-06, 4.46e-06, 4.02e-06, 1.5e-06, 4e-06, 4e-06, 2.22e-06}},
    // Not known: full.
    {"sm90_wgmma_128x192x64_2x1", "bfloat16", 0.935, 3.6e-07, 1.55e-06,
     {0.964, 1, 1, 1}, {1.32e-06, 4.65e-06, 4.14e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_128x224x64", "bfloat16", 0.98, 3.78e-07, 1.69e-06,
     {1.05, 1, 1, 1}, {1.45e-06, 4.74e-06, 4.21e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_128x256x64_2x1", "bfloat16", 0.94, 4.69e-07, 1.53e-06,
     {1, 1, 1, 1}, {1.59e-06, 4.84e-06, 4.27e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_128x64x64", "bfloat16", 0.78, 2.59e-07, 8.63e-07,
     {0.935, 1, 0.935, 1}, {1.75e-06, 4.27e-06, 3.89e-06, 4.26e-06, 3.99e-06, 3.64e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_16x64x64", "bfloat16", 0.78, 1.36e-07, 4.96e-07,
     {1.02, 1, 1.09, 1}, {9.29e-07, 1.49e-06, 1.72e-06, 2.14e-06, 2.16e-06, 2.24e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_32x64x64", "bfloat16", 0.78, 1.39e-07, 8.8e-07,
     {0.978, 1, 1, 1}, {9.58e-07, 1.52e-06, 1.75e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x16x64", "bfloat16", 0.78, 1.34e-07, 7.33e-07,
     {1.01, 1, 0.985, 1}, {9.29e-07, 1.28e-06, 1.22e-06, 2.14e-06, 2.16e-06, 2.24e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_64x192x64_2x1", "bfloat16", 0.788, 2.58e-07, 1.39e-06,
     {0.941, 1, 1, 1}, {9.01e-07, 4.36e-06, 3.96e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, step.
    {"sm90_wgmma_64x32x64", "bfloat16", 0.78, 9.64e-08, 1.21e-06,
     {0.985, 1, 1, 1}, {9.58e-07, 1.31e-06, 1.25e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_wgmma_64x64x64", "bfloat16", 0.368, 1.72e-07, 4.86e-07,
     {1.01, 1, 0.998, 1}, {1.55e-06, 4.17e-06, 3.83e-06, 3.49e-06, 3.67e-06, 3.44e-06, 1.43e-06}},
    // Not known: full.
    {"sm90_wgmma_64x96x64_2x1", "bfloat16", 0.78, 1.76e-07, 1.02e-06,
     {0.935, 1, 1, 1}, {1.65e-06, 4.22e-06, 3.86e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1], store[2].
    {"sm90_wgmma_80x128x64_4x1", "bfloat16", 0.86, 1.7e-07, 1.66e-06,
     {1.04, 1, 1, 1}, {6.66e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: step, store[1], store[2].
    {"sm90_wgmma_ping_pong_128x128x64_1x2", "bfloat16", 0.914, 2.43e-07, 1.58e-06,
     {1.03, 1, 1, 1}, {7.36e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm80_mma_fp8_128x128x64", "e4m3", 2.6, 7.56e-07, 1.09e-06,
     {0.996, 1.01, 1, 1}, {4.09e-06, 8.64e-06, 7.99e-06, 1.5e-06, 4e-06, 4e-06, 3.48e-06}},
    // Not known: full.
    {"sm80_mma_fp8_64x64x128", "e4m3", 2.597, 6.72e-07, 8.86e-07,
     {1.02, 1.05, 1, 1}, {2.5e-06, 4.61e-06, 4.32e-06, 1.5e-06, 4e-06, 4e-06, 2.93e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x128x128", "e4m3", 0.862, 2.65e-07, 1.63e-06,
     {1.01, 1.09, 1, 1}, {1.92e-06, 4.16e-06, 4.03e-06, 1.5e-06, 4e-06, 4e-06, 2.43e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x160x128", "e4m3", 0.893, 3.11e-07, 1.41e-06,
     {1.03, 1, 1, 1}, {1.35e-06, 4.39e-06, 4.22e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x176x128_2x1", "e4m3", 0.849, 3.72e-07, 1.2e-06,
     {0.976, 1, 1, 1}, {1.43e-06, 4.51e-06, 4.32e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x192x128_2x1", "e4m3", 0.86, 3.95e-07, 1.14e-06,
     {0.966, 1, 1, 1}, {1.51e-06, 4.63e-06, 4.42e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x256x128_1x2", "e4m3", 0.834, 5.58e-07, 9.09e-07,
     {1.03, 1, 1, 1}, {1.84e-06, 5.09e-06, 4.81e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x256x128_2x1", "e4m3", 0.822, 5.76e-07, 9.48e-07,
     {0.953, 1, 1, 1}, {1.84e-06, 5.09e-06, 4.81e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_128x64x128_1x4", "e4m3", 0.78, 2.29e-07, 1.4e-06,
     {0.951, 1, 1, 1}, {1.45e-06, 3.7e-06, 3.63e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_16x64x128", "e4m3", 0.78, 1.28e-07, 4.69e-07,
     {1.02, 1, 1.07, 1}, {1.32e-06, 2.39e-06, 2.08e-06, 2.17e-06, 2.07e-06, 2.37e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_64x16x128", "e4m3", 0.78, 1.31e-07, 5.32e-07,
     {0.953, 1, 1, 1}, {1.32e-06, 1.69e-06, 1.68e-06, 2.17e-06, 2.07e-06, 2.37e-06, 1.5e-06}},
    // Not known: step.
    {"sm90_wgmma_fp8_64x64x128", "e4m3", 0.368, 1.3e-07, 6.32e-07,
     {1.01, 1.04, 0.938, 1}, {1.21e-06, 3.47e-06, 3.44e-06, 3.53e-06, 3.45e-06, 3.52e-06, 1.52e-06}},
    // Not known: full.
    {"sm90_wgmma_fp8_64x64x128_2x1", "e4m3", 0.776, 2.53e-07, 1.3e-06,
     {0.921, 1, 1, 1}, {1.21e-06, 3.47e-06, 3.44e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_128x64x32", "float", 0.756, 1.36e-06, 1.53e-06,
     {1.01, 1, 1, 1}, {4.25e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: store[0], store[1], store[2].
    {"persistent_64x64x32", "float", 0.646, 9.45e-07, 1.4e-06,
     {1.03, 1, 1, 1}, {3.35e-07, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"pipelined_128x32x16", "float", 0.653, 3.84e-07, 6.34e-07,
     {1.04, 1.02, 1, 1}, {9.18e-07, 8.55e-07, 8.07e-07, 1.5e-06, 4e-06, 4e-06, 8.56e-07}},
    {"pipelined_32x64x32", "float", 0.562, 5.23e-07, 6.94e-07,
     {0.96, 0.998, 1, 1}, {6.96e-07, 7.17e-07, 7.16e-07, 1.5e-06, 4e-06, 4e-06, 8.07e-07}},
    {"pipelined_48x128x16", "float", 0.721, 5.4e-07, 7.4e-07,
     {1.04, 0.957, 1, 1}, {1.14e-06, 9.93e-07, 8.98e-07, 1.5e-06, 4e-06, 4e-06, 9.05e-07}},
    // Not known: full, store[0], store[1].
    {"skinny_128x1x64", "float", 0.78, 5.25e-07, 1.28e-06,
     {1, 1.01, 1, 1}, {1.5e-06, 4e-06, 9.65e-07, 1.5e-06, 4e-06, 4e-06, 1.01e-06}},
    // Not known: full, step.
    {"skinny_1x32x512", "float", 0.779, 2.12e-07, 1.38e-06,
     {1, 1, 1, 1}, {9.96e-07, 1.03e-06, 9.58e-07, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full, store[1].
    {"skinny_4x128x32", "float", 0.782, 5.73e-07, 8.48e-07,
     {1, 0.977, 1, 1}, {1.03e-06, 4e-06, 9.9e-07, 1.5e-06, 4e-06, 4e-06, 1.04e-06}},
    // Not known: full.
    {"skinny_64x8x64", "float", 0.778, 8.09e-07, 8.56e-07,
     {1.06, 1, 1, 1}, {1.03e-06, 1.06e-06, 9.9e-07, 1.5e-06, 4e-06, 4e-06, 1.04e-06}},
    // Not known: full, fixed, store[0], store[1], store[2].
    {"skinny_8x64x64", "float", 0.783, 6.19e-07, 1.16e-06,
     {1, 0.996, 1, 1}, {1.5e-06, 4e-06, 4e-06, 1.5e-06, 4e-06, 4e-06, 1.04e-06}},
    // Not known: fixed.
    {"sm90_simt_tma_128x128x32", "float", 0.832, 2.01e-06, 7.7e-07,
     {0.956, 1, 1, 0.996}, {3.56e-06, 3.29e-06, 3.75e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    {"sm90_simt_tma_128x16x32", "float", 0.73, 3.1e-07, 7.19e-07,
     {1.03, 0.991, 1, 1}, {2.13e-06, 2.22e-06, 2.23e-06, 1.5e-06, 4e-06, 4e-06, 2.29e-06}},
    // Not known: full.
    {"sm90_simt_tma_128x64x32", "float", 0.861, 9.47e-07, 1.26e-06,
     {1.02, 1, 1, 1}, {2.74e-06, 2.68e-06, 2.88e-06, 1.5e-06, 4e-06, 4e-06, 1.5e-06}},
    // Not known: full.
    {"sm90_simt_tma_16x64x32", "float", 0.78, 2.25e-07, 5.64e-07,
     {0.991, 1, 0.999, 1}, {2.03e-06, 2.15e-06, 2.12e-06, 3.16e-06, 3.1e-06, 3.13e-06, 2.1e-06}},
    {"sm90_simt_tma_64x64x32", "float", 0.805, 5.29e-07, 1.3e-06,
     {0.97, 1, 0.919, 1}, {2.33e-06, 2.37e-06, 2.45e-06, 3.99e-06, 3.69e-06, 3.46e-06, 1.5e-06}},
};

inline constexpr device_rates nvidia_h100_80gb_hbm3_device[] = {
    // Not known: launch, step_norm, cluster, last_blocks, narrow_packing.
    {.input = "bfloat16", .launch = 3.45e-07, .norm = 2.6, .step_norm = 8.16, .reached = 0.935,
     .cache_lines = 1.25e+11, .split_cache_line = 0.642, .shared = 0.113, .second_kernel = 1.69e-06,
     .second_slice = 9.84e-09, .slice_bandwidth = 2.84e+12, .cluster = 3.16e-08, .cluster_slice = 1.31e-08,
     .last_blocks = 3e-06, .packing = 1.51e-06, .packing_bandwidth = 2.71e+12, .narrow_packing = 3.93e-07,
     .narrow_copy = 6.54e-11, .element_copy = 1.85e-10},
    // Not known: launch, step_norm, cluster, last_blocks.
    {.input = "e4m3", .launch = 3.46e-07, .norm = 2.77, .step_norm = 7.45, .reached = 0.921, .cache_lines = 1.06e+11,
     .split_cache_line = 0.363, .shared = 0.181, .second_kernel = 1.11e-06, .second_slice = 1.04e-08,
     .slice_bandwidth = 2.95e+12, .cluster = 5.35e-08, .cluster_slice = 4.53e-08, .last_blocks = 3e-06,
     .packing = 1.6e-06, .packing_bandwidth = 3.39e+12, .narrow_packing = 4.78e-07, .narrow_copy = 2.43e-11,
     .element_copy = 1.05e-10},
    // Not known: launch, step_norm, reached, split_cache_line, cluster, element_copy.
    {.input = "float", .launch = 3.33e-07, .norm = 1.96, .step_norm = 3.88, .reached = 0.912, .cache_lines = 1.83e+11,
     .split_cache_line = 0.294, .shared = 0.126, .second_kernel = 1.78e-06, .second_slice = 9.57e-09,
     .slice_bandwidth = 1.6e+12, .cluster = 5.19e-08, .cluster_slice = 6.29e-08, .last_blocks = 4e-06,
     .packing = 1.66e-06, .packing_bandwidth = 3.2e+12, .narrow_packing = 6.33e-07, .narrow_copy = 5.69e-12,
     .element_copy = 8e-11},
};

inline constexpr gpu_table nvidia_h100_80gb_hbm3{
    .gpu = "NVIDIA H100 80GB HBM3", .major = 9, .minor = 0, .multiprocessors = 132,
    .clock = 1.98e+09, .bandwidth = 3.352e+12,
    .device = nvidia_h100_80gb_hbm3_device, .policies = nvidia_h100_80gb_hbm3_policies,
    .device_count = sizeof(nvidia_h100_80gb_hbm3_device) / sizeof(device_rates),
    .policy_count = sizeof(nvidia_h100_80gb_hbm3_policies) / sizeof(policy_rates)};

}  // namespace gemm::tables
// clang-format on
