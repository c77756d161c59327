// SPDX-License-Identifier: BSL-1.0
//! @file
//! The errors of half over k.

#include "deep_errors.cuh"

void bench::measure_deep_f16(std::FILE* file) { write_deep<__half>(file, "f16", CUDA_R_16F); }
