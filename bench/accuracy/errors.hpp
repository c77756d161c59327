// SPDX-License-Identifier: BSL-1.0
//! @file
//! Errors of many products, without times, as CSV.
#pragma once

#include <cstdio>

namespace bench {

/// Of fp32_emulated and cublasSgemm, of every kind of elements, for C's and depths where either cuts k or not.
void measure_cells(std::FILE* file);

/// Of products of e4m3, promoted and with fast accumulation, beside cublasLt's: every kind, results of float and bf16.
void measure_fp8(std::FILE* file);

/// Of split terms by mma.sync, with and without a fallback, beside cublasSgemm, of every kind of elements over k.
void measure_mma(std::FILE* file);

/// Of half and bf16 over k, beside cublasGemmEx: the library's choice, and policies that promote. Results of float.
/// The parts of it write no header.
void measure_deep(std::FILE* file);
void measure_deep_f16(std::FILE* file);
void measure_deep_bf16(std::FILE* file);

}  // namespace bench
