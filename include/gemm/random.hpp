// SPDX-License-Identifier: BSL-1.0
//! @file
//! Random inputs, on host and device: functions of a seed and an index, the same on every machine. For tests,
//! benchmarks, examples and tuning; not part of <gemm/gemm.cuh>.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/cxx20.hpp>

namespace gemm {

/// 64 random bits: element `index`, from 0, of SplitMix64's sequence for the seed. Any seed will do; adjacent seeds
/// give unrelated sequences. Source: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
__host__ __device__ constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Random bits as a number in [0, 1), a multiple of 2^-53.
__host__ __device__ constexpr double unit_from(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Random bits as a number in [-1, 1): a multiple of 2^-23 for float, of 2^-52 for double.
template <class T>
__host__ __device__ constexpr T uniform_from(std::uint64_t bits) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(bits >> 40) * 0x1p-23f - 1;
  } else {
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
  }
}

/// Random bits as an integer from low to high, both included. Uniform where high - low is far below 2^64.
__host__ __device__ constexpr std::int64_t integer_from(std::uint64_t bits, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(high - low + 1));
}

/// The elements of a sequence in order.
class random_numbers {
 public:
  /// Starts at index 0.
  __host__ __device__ constexpr explicit random_numbers(std::uint64_t seed) : seed_(seed) {}

  /// The next random_bits().
  __host__ __device__ constexpr std::uint64_t bits() { return random_bits(seed_, index_++); }
  /// The next as an integer from low to high, both included.
  __host__ __device__ constexpr std::int64_t integer(std::int64_t low, std::int64_t high) {
    return integer_from(bits(), low, high);
  }
  /// The next as a number in [-1, 1).
  __host__ __device__ constexpr double uniform() { return uniform_from<double>(bits()); }

 private:
  std::uint64_t seed_, index_ = 0;
};

}  // namespace gemm
