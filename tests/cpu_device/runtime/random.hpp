// SPDX-License-Identifier: BSL-1.0
//! @file
//! A small random number generator: the same numbers from the same seed on every machine.
#pragma once

#include <cstdint>

namespace cpu_device {

/// SplitMix64 (Steele, Lea and Flood, 2014): good enough for any seed, 0 included.
class random_generator {
 public:
  explicit random_generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  /// A number from 0 to bound - 1, where bound is far below 2^64.
  std::uint64_t below(std::uint64_t bound) { return (*this)() % bound; }

  bool coin() { return ((*this)() >> 63) != 0; }

 private:
  std::uint64_t state_;
};

}  // namespace cpu_device
