// SPDX-License-Identifier: BSL-1.0
//! @file
//! tf32: floats that are rounded to TF32 before they are multiplied.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm {

/// A float in memory that is rounded to TF32 before it is multiplied: float's exponents and 10 bits of fraction. Floats
/// are never rounded unasked: the caller asks by as_tf32(), or by a policy that has tf32 in its name.
struct tf32 {
  float bits;  ///< the float in memory, not rounded

  /// Not initialised.
  tf32() = default;
  /// Keeps the float as it is; reading rounds.
  __host__ __device__ constexpr tf32(float value) : bits(value) {}

  /// The number that is multiplied: the nearest, in ties the even one, as TMA and cuBLAS round. The largest floats
  /// become infinite, NaN stays NaN, denormals become multiples of 2^-136. Before sm_90 policies of mma.sync round ties
  /// away from 0, as GPUs do there (arch/mma.cuh).
  __host__ __device__ constexpr operator float() const {
    constexpr std::uint32_t exponent = 0x7f800000, dropped = 0x1fff;
    auto const word = __builtin_bit_cast(std::uint32_t, bits);
    std::uint32_t const nearest = (word + dropped / 2 + (word >> 13 & 1)) & ~dropped;
    return (word & exponent) == exponent ? bits : __builtin_bit_cast(float, nearest);
  }
};

}  // namespace gemm
