// SPDX-License-Identifier: BSL-1.0
//! @file
//! The errors of bf16 over k.

#include "deep_errors.cuh"

void bench::measure_deep_bf16(std::FILE* file) { write_deep<__nv_bfloat16>(file, "bf16", CUDA_R_16BF); }
