// SPDX-License-Identifier: BSL-1.0
//! @file
//! tf32: floats that tensor cores multiply.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm {

/// A float in memory that is multiplied as the TF32 number nearest to it, which has float's exponents and 10 bits of
/// fraction. No float becomes one by itself: A and B are of tf32 where the caller says so, by as_tf32() or by a policy
/// whose name has it.
struct tf32 {
  float bits;  ///< as they are in memory

  tf32() = default;
  __host__ __device__ constexpr tf32(float value) : bits(value) {}

  /// The number that is multiplied, in ties the even one, as TMA rounds and cuBLAS does (seen on an H200): the largest
  /// floats become infinite, NaN stays NaN, denormals are kept as multiples of 2^-136, the least of these numbers.
  /// Before sm_90 policies of mma.sync round ties away from 0, as GPUs do there (arch/mma.cuh).
  __host__ __device__ constexpr operator float() const {
    constexpr std::uint32_t exponent = 0x7f800000, dropped = 0x1fff;
    auto const word = __builtin_bit_cast(std::uint32_t, bits);
    std::uint32_t const nearest = (word + dropped / 2 + (word >> 13 & 1)) & ~dropped;
    return (word & exponent) == exponent ? bits : __builtin_bit_cast(float, nearest);
  }
};

}  // namespace gemm
