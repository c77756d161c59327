// SPDX-License-Identifier: BSL-1.0
//! @file
//! Warpgroups: what the bodies of wgmma in gemm/arch/ ask of the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "call_site.hpp"

namespace cpu_device {

inline constexpr unsigned warpgroup_threads = 128;

/// What one instruction names besides the sums, the same for all threads of the warpgroup. Plain bytes.
struct multiplication_operands {
  static constexpr std::size_t capacity = 64;
  alignas(8) unsigned char bytes[capacity];
};

/// What it names of a thread's own registers: the sums, and its part of an operand that lies in registers, or null.
struct multiplication_registers {
  void* accumulators;
  void const* operand;
};

/// Multiplies, and adds to the sums of the warpgroup's threads. It is compiled in the kernel's translation unit, so
/// that the sanitizers watch it: the runtime is never sanitized.
using multiply_function = void (*)(multiplication_operands const& operands, multiplication_registers const* of_threads);

/// Waits for the other threads of the warpgroup at the same place, and starts one multiplication of theirs: `perform`
/// runs now, or as late as one of them waits for it. `own` must live until then.
void issue_multiplication(multiply_function perform, multiplication_operands const& operands,
                          multiplication_registers const& own, call_site where);

/// Adds to n accumulators, a multiple of 8, the products of a row of k integers and of k rows of n, modulo 2^32.
void add_products(std::int32_t const* a, int k, std::int32_t const* b, int n, std::uint32_t* accumulators);

/// The powers of two of numbers' exponents; 0 for 0.
void powers_of(float const* numbers, int count, float* powers);

/// The same of floats, as tensor cores add them: each product and each accumulator is truncated `digits` bits below the
/// largest exponent among them, then so is their sum, at its own last digit. A product's exponent is the sum of its
/// factors' exponents, of which b's are `powers`. k is at most 32.
void add_products(float const* a, int k, float const* b, float const* powers, int n, int digits, float* accumulators);

/// Makes the warpgroup's multiplications since the last commit a group.
void commit_multiplications(call_site where);

/// Waits until at most `pending_groups` of the warpgroup's groups are unfinished.
void wait_multiplications(unsigned pending_groups, call_site where);

/// An instruction for a whole warpgroup that does nothing else.
void meet_in_warpgroup(char const* instruction, call_site where);

}  // namespace cpu_device
